package org.fencepost.hbase.store;

import java.util.concurrent.TimeUnit;
import org.fencepost.protocol.Clock;

/** The JVM's monotonic clock. */
public class SystemClock implements Clock {

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void sleep(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
