package org.fencepost.hbase;

import org.fencepost.hbase.layout.Settings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is said of reads that region servers decide is so where the client decides them. */
class ReadAtClientTest {

    @Nested
    @ExtendWith(Fixture.Extension.class)
    class Tables extends TransactionalTableTest {
        @Override
        @BeforeEach
        void setUp(Fixture hbase) throws Exception {
            hbase.conf.set(Settings.READ, "client");
            super.setUp(hbase);
        }
    }
}
