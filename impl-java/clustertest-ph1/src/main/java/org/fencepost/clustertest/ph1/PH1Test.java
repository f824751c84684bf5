package org.fencepost.clustertest.ph1;

import org.fencepost.audit.text.Commands;
import org.fencepost.clustertest.ClusterTest;

/** {@code fencepost cluster-test} of pH1, on a class path of its own. */
public final class PH1Test {

    private PH1Test() {
    }

    public static void main(String[] arguments) {
        System.exit(Commands.run(new ClusterTest(new PH1Target()), arguments));
    }
}
