package org.fencepost.bench.mix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import one.profiler.AsyncProfiler;
import org.fencepost.bench.mix.Turn.Scene;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileTest {

    private static final Scene SCENE = new Scene(Workload.C, 8, 0);

    @TempDir
    Path directory;

    @Test
    void samplesAreCountedByPart() throws Exception {
        Profile profile = new Profile();
        profile.add(SCENE, "ll", Profile.CLIENT, file("""
                [Thread-7 tid=9];org/fencepost/bench/mix/ContenderServer$Worker.run;org/fencepost/bench/mix/Contender.run;\
                org/fencepost/bench/mix/OurContenders$Regular$1.read;org/apache/hadoop/hbase/client/HTable.get 4
                [tm-client tid=5];org/fencepost/tm/client/ClientConnection.receive;finish_task_switch.isra.0_[k] 3
                [Thread-7 tid=9];org/fencepost/bench/mix/ContenderServer$Worker.run;org/fencepost/bench/mix/Contender.run;\
                org/fencepost/bench/mix/OurContenders$Regular.begin;org/fencepost/tm/client/PrimaryLink.flush 1
                [C2 CompilerThre tid=2];Compile::Compile 1
                """));
        profile.add(SCENE, "ll", Profile.CLIENT, file("[nobody tid=1];main 1\n"));
        profile.add(SCENE, "ll", Profile.HBASE, file("[RpcServer.default.FPBQ.Fifo.handler=1 tid=3];x/RSRpcServices.get;y 1\n"));

        assertEquals(List.of("caller: reads 0.40 0.00", "transaction manager's client 0.40 0.75", "compiler 0.10 0.00", "rest 0.10 0.00", "reads 1.00 0.00"),
                profile.parts().stream().map(part -> String.format(Locale.ROOT, "%s %.2f %.2f", part.part(), part.share(), part.switching())).toList());
        assertTrue(profile.text().contains("C, 8 threads: client of ll"), profile.text());
        assertEquals("", new Profile().text());
    }

    private Path file(String samples) throws Exception {
        return Files.writeString(directory.resolve("samples"), samples);
    }

    /** The real profiler, of this process. */
    @Test
    void theProfilersFileCanBeRead() throws Exception {
        Path file = directory.resolve("samples");
        AsyncProfiler.getInstance().execute(Profile.START);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + 300_000_000;
        double sum = 0;
        while (threads.getCurrentThreadCpuTime() < end) {
            sum += Math.sqrt(sum + 1);
        }
        AsyncProfiler.getInstance().execute(Profile.stop(file));
        Profile profile = new Profile();
        profile.add(SCENE, "ll", Profile.CLIENT, file);
        assertFalse(Files.exists(file));
        assertTrue(sum > 0 && profile.parts().stream().mapToLong(Profile.Part::samples).sum() > 100, profile.text());
    }
}
