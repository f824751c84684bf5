package org.fencepost.mediator;

import org.fencepost.tm.server.TmServer;
import picocli.CommandLine;

/** The launcher's {@code fencepost tm}: a transaction manager, with Mediator where its options ask for it. */
public final class MediatorTm {

    private MediatorTm() {
    }

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new TmServer(Backend::open, Backend::floor)).setCommandName("fencepost tm").execute(arguments));
    }
}
