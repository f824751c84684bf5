package org.fencepost.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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

    private final int initial;
    /** The states that an edge leaves and enters. */
    private final int[] from;
    private final int[] to;
    /** The numbers of the edges that leave and that enter a state. */
    private final int[][] out;
    private final int[][] in;
    private final BitSet covered = new BitSet();
    private final BitSet barred = new BitSet();
    /** How many steps it is to a state that an uncovered edge leaves: a guess, which walks improve, until it is measured again. */
    private int[] distance;

    EdgeCover(StateGraph graph) {
        initial = graph.initial().get(0);
        from = graph.edges().stream().mapToInt(Edge::from).toArray();
        to = graph.edges().stream().mapToInt(Edge::to).toArray();
        out = edgesOf(from, graph.states().size());
        in = edgesOf(to, graph.states().size());
        measure();
    }

    /** For each state, the edges that have it at this end. */
    private static int[][] edgesOf(int[] end, int states) {
        int[] count = new int[states];
        for (int state : end) {
            count[state]++;
        }
        int[][] edges = new int[states][];
        Arrays.setAll(edges, state -> new int[count[state]]);
        for (int edge = end.length - 1; edge >= 0; edge--) {
            edges[end[edge]][--count[end[edge]]] = edge;
        }
        return edges;
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
        for (int state = initial; path.size() < LONGEST;) {
            int edge = choose(state, planned);
            if (edge < 0) {
                break;
            }
            path.add(edge);
            if (!planned.get(edge)) {
                planned.set(edge);
                useful = path.size();
            }
            state = to[edge];
        }
        return useful == 0 ? null : path.subList(0, useful);
    }

    /** An edge that is not covered, or else one on the way to such; negative if there is none ahead. */
    private int choose(int state, BitSet planned) {
        int best = -1;
        for (int edge : out[state]) {
            if (!planned.get(edge)) {
                return edge;
            }
            if (!barred.get(edge) && distance[to[edge]] < (best < 0 ? FAR : distance[to[best]])) {
                best = edge;
            }
        }
        distance[state] = best < 0 ? FAR : Math.max(distance[state], distance[to[best]] + 1);
        return best;
    }

    /** Breadth first, backwards from the uncovered edges. */
    private void measure() {
        distance = new int[out.length];
        Arrays.fill(distance, FAR);
        int[] queue = new int[out.length];
        int last = 0;
        for (int edge = 0; edge < from.length; edge++) {
            if (!covered.get(edge) && !barred.get(edge) && distance[from[edge]] == FAR) {
                distance[from[edge]] = 0;
                queue[last++] = from[edge];
            }
        }
        for (int first = 0; first < last; first++) {
            for (int edge : in[queue[first]]) {
                if (!barred.get(edge) && distance[from[edge]] == FAR) {
                    distance[from[edge]] = distance[queue[first]] + 1;
                    queue[last++] = from[edge];
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
