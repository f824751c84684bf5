package tlc2.overrides;

import org.fencepost.audit.traces.TraceOverrides;

/** Where TLC looks for Java in place of TLA+ operators; the name and the package are its own. */
public final class TLCOverrides implements ITLCOverrides {
    @Override
    @SuppressWarnings("rawtypes")
    public Class[] get() {
        return new Class[] {TraceOverrides.class};
    }
}
