package org.fencepost.lanes;

import java.util.List;
import java.util.Map;

/**
 * A run as a table for people: one column per client, TM, commit table and key, one row per step, and in a cell only what that step
 * changed there.
 *
 * @param rows one per step; the initial state has none
 * @param ending what follows the last row for ever, or null
 * @param lesson what is violated and why that matters, paragraph by paragraph
 */
public record SwimLane(String title, List<Lane> lanes, List<Row> rows, String ending, List<String> lesson) {
    /** @param instance the client's or key's name, or empty for the lane as a whole */
    public record Lane(String kind, String instance) {
        public String label() {
            return (kind.equals("CT") ? "commit table" : kind) + (instance.isEmpty() ? "" : " " + instance);
        }
    }

    /**
     * @param number 1 for the step that leads out of the initial state (TLC counts states and would say 2); 0 for a row that is no step
     * @param source where the paper has the action; empty where nobody says
     * @param marked whether a reader is to look here first
     */
    public record Row(int number, String action, String source, Map<Lane, List<String>> cells, boolean marked) {
        public Row(int number, String action, String source, Map<Lane, List<String>> cells) {
            this(number, action, source, cells, false);
        }
    }
}
