package org.fencepost.ph1.group;

import org.jgroups.JChannel;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;

/** JGroups' protocols, over TCP to the addresses that are given, and none that it would find itself. */
final class Stack {

    private Stack() {
    }

    static JChannel channel(GroupSettings settings) throws Exception {
        TCP transport = new TCP();
        transport.setBindAddress(settings.bind().getAddress());
        transport.setBindPort(settings.bind().getPort());
        transport.setPortRange(0);
        TCPPING discovery = new TCPPING();
        discovery.setInitialHosts(settings.members());
        discovery.setPortRange(0);
        long suspect = settings.suspectMillis();
        FD_ALL3 heartbeats = new FD_ALL3();
        heartbeats.setTimeout(suspect);
        heartbeats.setInterval(Math.max(1, suspect / 4));
        VERIFY_SUSPECT2 verification = new VERIFY_SUSPECT2();
        verification.setTimeout(Math.max(1, suspect / 4));
        NAKACK2 broadcasts = new NAKACK2();
        broadcasts.useMcastXmit(false);
        GMS views = new GMS();
        views.setJoinTimeout(1_000);
        views.printLocalAddress(false);
        FRAG2 fragments = new FRAG2();
        fragments.setFragSize(60_000);
        JChannel channel = new JChannel(transport, discovery, new MERGE3().setMinInterval(Math.max(10, suspect / 4)).setMaxInterval(suspect), new FD_SOCK2(),
                heartbeats, verification, broadcasts, new UNICAST3(), new STABLE(), views, new UFC(), new MFC(), fragments);
        transport.getDiagnosticsHandler().setEnabled(false); // anybody in the network could ask it
        return channel;
    }
}
