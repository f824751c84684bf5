package org.fencepost.protocol.mediator;

import org.fencepost.protocol.Clock;

/** Time stands still. */
final class NoClock implements Clock {

    @Override
    public long nanos() {
        return 0;
    }

    @Override
    public void sleep(long nanos) {
    }
}
