package org.fencepost.simulation.world;

import java.util.ArrayList;
import java.util.List;

/** The threads that one worker reuses for all its runs. Used by one worker at a time. */
public final class Carriers {

    private final List<Carrier> carriers = new ArrayList<>();

    Carrier carrier(int index) {
        while (carriers.size() <= index) {
            Carrier carrier = new Carrier("carrier-" + carriers.size());
            carrier.start();
            carriers.add(carrier);
        }
        return carriers.get(index);
    }
}
