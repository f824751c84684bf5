package org.fencepost.prove;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fencepost.audit.text.TlaValue;
import tlc2.tool.Action;
import tlc2.tool.StateVec;
import tlc2.tool.TLCState;
import tlc2.tool.impl.FastTool;
import util.SimpleFilenameToStream;
import util.ToolIO;

/**
 * TLC in a process of its own, which {@link ByTlc} starts: of the module Start in a folder it tells each initial state, which invariants are
 * violated there, and the same of each successor. A line has a kind and what is told, with tabs between.
 */
final class TlcStates {
    static final String STATE = "state";
    static final String STEP = "step";
    static final String VALUE = "value";
    static final String VIOLATED = "violated";

    private TlcStates() {
    }

    /** @param args the folder, and others where modules are */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        ToolIO.out = System.err;
        String[] places = new String[args.length];
        for (int i = 0; i < args.length; i++) {
            places[i] = args[i] + "/";
        }
        FastTool tlc = new FastTool(args[0], "Start", "Start", new SimpleFilenameToStream(places));
        StateVec first = tlc.getInitStates();
        for (int i = 0; i < first.size(); i++) {
            TLCState state = first.elementAt(i);
            out.println(STATE);
            tell(tlc, state, out);
            for (Action action : tlc.getActions()) {
                StateVec next = tlc.getNextStates(action, state);
                for (int n = 0; n < next.size(); n++) {
                    out.println(STEP + "\t" + action.getName());
                    tell(tlc, next.elementAt(n), out);
                }
            }
        }
        out.flush();
        System.exit(0); // whatever threads TLC has left
    }

    private static void tell(FastTool tlc, TLCState state, PrintStream out) {
        state.getVals().forEach((name, value) -> out.println(VALUE + "\t" + name + "\t" + value.toString().replaceAll("\\s+", " ")));
        for (int i = 0; i < tlc.getInvariants().length; i++) {
            if (!tlc.isValid(tlc.getInvariants()[i], state)) {
                out.println(VIOLATED + "\t" + tlc.getInvNames()[i]);
            }
        }
    }

    /** A state's values. */
    static Map<String, TlaValue> values(TLCState state) {
        Map<String, TlaValue> values = new LinkedHashMap<>();
        state.getVals().forEach((name, value) -> values.put(name.toString(), TlaValue.parse(value.toString())));
        return values;
    }
}
