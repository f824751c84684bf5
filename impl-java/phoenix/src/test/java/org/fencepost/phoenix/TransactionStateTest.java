package org.fencepost.phoenix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.transaction.TransactionFactory;
import org.fencepost.hbase.layout.TransactionState;
import org.junit.jupiter.api.Test;

class TransactionStateTest {

    private static final TransactionState STATE = new TransactionState(20_480, 2, 3, true, 2_048, 18_432, TableName.valueOf("ns:commits"));

    @Test
    void whatIsEncodedIsDecoded() throws Exception {
        byte[] encoded = STATE.encode();
        assertEquals(STATE, TransactionState.decode(encoded, encoded.length));
        Scan scan = new Scan();
        assertEquals(null, TransactionState.of(scan));
        STATE.attachTo(scan);
        assertEquals(STATE, TransactionState.of(scan));
        assertEquals(20_483, STATE.writePoint());
        assertEquals(20_482, STATE.readPoint());
    }

    @Test
    void aContextOfItReadsAndEndsNothing() throws Exception {
        byte[] state = STATE.encode();
        byte[] encoded = Arrays.copyOf(state, state.length + 1);
        encoded[state.length] = TransactionFactory.Provider.OMID.getCode();
        FencepostTransactionProvider.install();
        var context = TransactionFactory.Provider.OMID.getTransactionProvider().getTransactionContext(encoded);
        assertEquals(20_480, context.getTransactionId());
        assertEquals(20_483, context.getWritePointer());
        context.commit();
        context.abort();
        assertEquals(true, context.isTransactionRunning());
    }

    @Test
    void anIndexIsPopulatedAboveAFence() throws Exception {
        Put put = new Put(new byte[] {1});
        assertEquals(null, TransactionState.ofPopulating(put));
        TransactionState.populates(put);
        assertTrue(assertThrows(DoNotRetryIOException.class, () -> TransactionState.ofPopulating(put)).getMessage().contains("above a fence only"));
        put.setAttribute(BaseScannerRegionObserverConstants.TX_STATE, Arrays.copyOf(STATE.encode(), STATE.encode().length + 1));
        assertEquals(STATE, TransactionState.ofPopulating(put));
        byte[] unfenced = new TransactionState(20_480, 2, 3, true, 2_048, 0, TableName.valueOf("commits")).encode();
        put.setAttribute(BaseScannerRegionObserverConstants.TX_STATE, Arrays.copyOf(unfenced, unfenced.length + 1));
        assertTrue(assertThrows(DoNotRetryIOException.class, () -> TransactionState.ofPopulating(put)).getMessage().contains("above a fence only"));
    }

    @Test
    void whatMakesNoSenseIsRefusedInOneSentence() {
        byte[] good = STATE.encode();
        Random random = new Random(7);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length + 300));
            for (int j = random.nextInt(4); j > 0 && bytes.length > 0; j--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                TransactionState state = TransactionState.decode(bytes, bytes.length);
                assertEquals(0, state.startTs() % state.span());
            } catch (DoNotRetryIOException e) {
                refused++;
                assertEquals(1, e.getMessage().lines().count(), e.getMessage());
            }
        }
        assertEquals(true, refused > 15_000, refused + " were refused");
    }
}
