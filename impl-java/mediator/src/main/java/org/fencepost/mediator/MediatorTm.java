package org.fencepost.mediator;

import org.fencepost.tm.server.TmServer;

/** The launcher's {@code fencepost tm}: a transaction manager, with Mediator where its options ask for it. */
public final class MediatorTm {

    private MediatorTm() {
    }

    public static void main(String[] arguments) {
        System.exit(TmServer.run(new TmServer(Backend::open, Backend::floor), arguments));
    }
}
