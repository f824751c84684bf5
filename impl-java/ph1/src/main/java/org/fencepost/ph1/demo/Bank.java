package org.fencepost.ph1.demo;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.fencepost.ph1.client.PH1Client;
import org.fencepost.ph1.client.PH1Scanner;
import org.fencepost.ph1.client.PH1Table;
import org.fencepost.ph1.client.Transaction;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.ph1.Session;

/** Accounts whose total stays what it was. An account that holds nothing is deleted. */
final class Bank {

    static final String TABLE = "accounts";
    static final int ACCOUNTS = 20;
    static final int FIRST_BALANCE = 100;
    static final int TOTAL = ACCOUNTS * FIRST_BALANCE;

    private final PH1Client client;
    private final PH1Table accounts;

    Bank(PH1Client client) {
        this.client = client;
        this.accounts = client.table(TABLE);
    }

    /** Unless they are open already. */
    void open() {
        while (total() != TOTAL) {
            try (Transaction tx = client.begin()) {
                for (int account = 0; account < ACCOUNTS; account++) {
                    accounts.put(tx, key(account), value(FIRST_BALANCE));
                }
                tx.commit();
            } catch (TransactionAbortedException e) {
                pause();
            }
        }
    }

    void transfer(Session session, SplittableRandom random) {
        int from = random.nextInt(ACCOUNTS);
        int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        try (Transaction tx = client.begin(session)) {
            int available = balance(accounts.get(tx, key(from)));
            int amount = Math.min(available, 1 + random.nextInt(FIRST_BALANCE));
            store(tx, from, available - amount);
            store(tx, to, balance(accounts.get(tx, key(to))) + amount);
            tx.commit();
        }
    }

    private void store(Transaction tx, int account, int balance) {
        if (balance == 0) {
            accounts.delete(tx, key(account));
        } else {
            accounts.put(tx, key(account), value(balance));
        }
    }

    /** In one snapshot; a snapshot that is lost is taken anew. */
    int total() {
        while (true) {
            try (Transaction tx = client.begin()) {
                int total = 0;
                PH1Scanner all = accounts.scanner(tx, null, null);
                while (all.hasNext()) {
                    total += balance(all.next().value());
                }
                tx.commit();
                return total;
            } catch (TransactionAbortedException e) {
                pause();
            }
        }
    }

    static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] key(int account) {
        return String.format("account-%03d", account).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] value(int balance) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(balance).array();
    }

    private static int balance(byte[] value) {
        return value == null ? 0 : ByteBuffer.wrap(value).getInt();
    }
}
