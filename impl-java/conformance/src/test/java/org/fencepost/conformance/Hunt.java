package org.fencepost.conformance;

import java.io.IOException;
import java.nio.file.Path;
import org.fencepost.audit.models.StateGraph;
import org.fencepost.simulation.world.Carriers;

/** Replays a state graph. A class of its own, so that a MutantLoader can call it by a plain signature. */
public final class Hunt {

    private Hunt() {
    }

    /** What the code does otherwise than the specification; null if nothing. */
    public static String run(String spec, String model, Path dump) throws IOException {
        return ModelReplay.of(Protocol.valueOf(spec), StateGraph.read(model, dump), new Carriers(), Integer.MAX_VALUE).difference();
    }
}
