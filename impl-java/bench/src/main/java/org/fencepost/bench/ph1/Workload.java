package org.fencepost.bench.ph1;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.fencepost.bench.ph1.KeyValues.Aborted;
import org.fencepost.bench.ph1.KeyValues.Tx;

/** What the systems run: its data, its transactions, and what must hold of the data in the end. */
interface Workload {

    /** One transaction, which is run again, the same, until it commits. */
    interface Job {

        String kind();

        /** Whether to commit; otherwise it is rolled back, as the user wants. */
        boolean run(Tx tx) throws IOException, Aborted;
    }

    /** One part of the data. */
    interface Load {
        void run(Tx tx) throws IOException, Aborted;
    }

    List<String> tables();

    /** Each in a transaction of its own. */
    List<Load> loads();

    /** @param terminal a number that no other thread has, in any turn */
    Job next(SplittableRandom random, long terminal);

    /** A sentence for each condition, with a colon and what is wrong or "holds"; in one snapshot. None where there are no conditions. */
    List<String> check(Tx tx) throws IOException, Aborted;
}
