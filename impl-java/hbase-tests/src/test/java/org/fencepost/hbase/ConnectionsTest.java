package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.fencepost.hbase.store.Connections;
import org.junit.jupiter.api.Test;

class ConnectionsTest {

    private static final String THREADS = NettyRpcClientConfigHelper.HBASE_NETTY_EVENTLOOP_RPCCLIENT_THREADCOUNT_KEY;
    private static final String LOOP = NettyRpcClientConfigHelper.EVENT_LOOP_CONFIG;

    @Test
    void aConnectionHasOneNetworkThreadOfItsOwn() {
        Configuration given = new Configuration(false);
        Configuration used = Connections.withNetworkThread(given);
        assertEquals("", used.get(LOOP));
        assertEquals("1", used.get(THREADS));
        assertEquals(0, given.size(), "the caller's configuration is the caller's");
    }

    @Test
    void networkThreadsThatAreConfiguredStay() {
        Configuration given = new Configuration(false);
        given.set(LOOP, "global-event-loop");
        given.set(THREADS, "7");
        Configuration used = Connections.withNetworkThread(given);
        assertEquals("global-event-loop", used.get(LOOP));
        assertEquals("7", used.get(THREADS));
    }
}
