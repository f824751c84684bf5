package org.fencepost.conformance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.fencepost.audit.models.StateGraph;
import org.fencepost.audit.models.StateGraph.Edge;

/**
 * Paths from the initial state that together take every step of a state graph, as far as the code takes them. Each path
 * goes to the nearest step that is not covered yet, and on like this until there is none ahead. A step that the code
 * refuses is barred, and what can be reached only behind it is left out.
 */
final class EdgeCover {

    private static final int LONGEST = 200;
    private static final int FAR = Integer.MAX_VALUE;

    private final StateGraph graph;
    /** The numbers of the edges that leave and that enter a state. */
    private final List<List<Integer>> out = new ArrayList<>();
    private final List<List<Integer>> in = new ArrayList<>();
    private final BitSet covered = new BitSet();
    private final BitSet barred = new BitSet();
    /** How many steps it is to a state that an uncovered edge leaves: a guess, which walks improve, until it is measured again. */
    private int[] distance;

    EdgeCover(StateGraph graph) {
        this.graph = graph;
        graph.states().forEach(state -> {
            out.add(new ArrayList<>());
            in.add(new ArrayList<>());
        });
        for (int i = 0; i < graph.edges().size(); i++) {
            out.get(graph.edges().get(i).from()).add(i);
            in.get(graph.edges().get(i).to()).add(i);
        }
        measure();
    }

    /** The numbers of the edges of a path that takes at least one that is not covered; null when there is none left. */
    List<Integer> next() {
        List<Integer> path = walk();
        if (path == null) {
            measure();
            path = walk();
        }
        return path;
    }

    private List<Integer> walk() {
        BitSet planned = (BitSet) covered.clone();
        planned.or(barred);
        List<Integer> path = new ArrayList<>();
        int useful = 0;
        for (int state = graph.initial().get(0); path.size() < LONGEST;) {
            int edge = choose(state, planned);
            if (edge < 0) {
                break;
            }
            path.add(edge);
            if (!planned.get(edge)) {
                planned.set(edge);
                useful = path.size();
            }
            state = graph.edges().get(edge).to();
        }
        return useful == 0 ? null : path.subList(0, useful);
    }

    /** An edge that is not covered, or else one on the way to such; negative if there is none ahead. */
    private int choose(int state, BitSet planned) {
        int best = -1;
        for (int edge : out.get(state)) {
            if (!planned.get(edge)) {
                return edge;
            }
            if (!barred.get(edge) && distance[to(edge)] < (best < 0 ? FAR : distance[to(best)])) {
                best = edge;
            }
        }
        distance[state] = best < 0 ? FAR : Math.max(distance[state], distance[to(best)] + 1);
        return best;
    }

    private int to(int edge) {
        return graph.edges().get(edge).to();
    }

    /** Breadth first, backwards from the uncovered edges. */
    private void measure() {
        distance = new int[graph.states().size()];
        Arrays.fill(distance, FAR);
        Deque<Integer> queue = new ArrayDeque<>();
        for (int i = 0; i < graph.edges().size(); i++) {
            Edge edge = graph.edges().get(i);
            if (!covered.get(i) && !barred.get(i) && distance[edge.from()] == FAR) {
                distance[edge.from()] = 0;
                queue.add(edge.from());
            }
        }
        while (!queue.isEmpty()) {
            int state = queue.remove();
            for (int edge : in.get(state)) {
                int from = graph.edges().get(edge).from();
                if (!barred.get(edge) && distance[from] == FAR) {
                    distance[from] = distance[state] + 1;
                    queue.add(from);
                }
            }
        }
    }

    /** The code has taken the first so many edges of a path. */
    void cover(List<Integer> path, int taken) {
        path.subList(0, taken).forEach(covered::set);
    }

    void bar(int edge) {
        barred.set(edge);
    }

    boolean isCovered(int edge) {
        return covered.get(edge);
    }

    boolean isBarred(int edge) {
        return barred.get(edge);
    }
}
