package org.fencepost.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.fencepost.audit.models.StateGraph;
import org.fencepost.audit.models.StateGraph.Edge;
import org.fencepost.audit.models.StateGraph.State;
import org.junit.jupiter.api.Test;

/** Paths are connected, take every edge that can be reached, and go round what is barred. */
class EdgeCoverTest {

    private static StateGraph graph(int states, List<Edge> edges) {
        StateGraph graph = new StateGraph("test", Map.of(), new ArrayList<>(), List.of(0), edges);
        for (int i = 0; i < states; i++) {
            graph.states().add(new State(Map.of()));
        }
        return graph;
    }

    private static Edge edge(int from, int to) {
        return new Edge(from, to, "");
    }

    /** Takes all paths, and bars an edge the first time that a path has it. */
    private static EdgeCover run(StateGraph graph, int barred) {
        EdgeCover cover = new EdgeCover(graph);
        for (List<Integer> path = cover.next(); path != null; path = cover.next()) {
            int at = 0;
            for (int edge : path) {
                assertEquals(at, graph.edges().get(edge).from(), "the path has a gap");
                assertFalse(cover.isBarred(edge), "the path takes a barred edge");
                at = graph.edges().get(edge).to();
            }
            int taken = path.contains(barred) ? path.indexOf(barred) : path.size();
            cover.cover(path, taken);
            if (taken < path.size()) {
                cover.bar(barred);
            }
        }
        return cover;
    }

    @Test
    void everyEdgeOfGraphsAtRandom() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            List<Edge> edges = new ArrayList<>();
            for (int state = 1; state < 30; state++) {
                edges.add(edge(random.nextInt(state), state)); // each can be reached
            }
            for (int i = 0; i < 60; i++) {
                edges.add(edge(random.nextInt(30), random.nextInt(30))); // circles included
            }
            EdgeCover cover = run(graph(30, edges), -1);
            for (int i = 0; i < edges.size(); i++) {
                assertTrue(cover.isCovered(i), "seed " + seed + ", edge " + i);
            }
        }
    }

    @Test
    void whatIsBehindABarredEdgeIsLeftOut() {
        List<Edge> edges = List.of(edge(0, 1), edge(1, 2), edge(2, 3), edge(3, 2), edge(0, 4), edge(4, 1));
        EdgeCover cover = run(graph(5, edges), 1);
        assertTrue(cover.isBarred(1));
        assertEquals(List.of(true, false, false, false, true, true),
                List.of(0, 1, 2, 3, 4, 5).stream().map(cover::isCovered).toList());
    }
}
