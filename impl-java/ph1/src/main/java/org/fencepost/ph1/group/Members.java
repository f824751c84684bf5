package org.fencepost.ph1.group;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.fencepost.ph1.group.Frame.ViewName;
import org.jgroups.Address;

/**
 * A view as one instance has installed it.
 *
 * @param number    counts the views of this instance
 * @param name      the same at all members
 * @param addresses of the members; the keeper of the read horizon is the first
 * @param awaited   whose versions it has not got yet
 */
record Members(long number, ViewName name, List<Address> addresses, Set<Address> awaited) {

    static final Members NONE = new Members(0, ViewName.NONE, List.of(), Set.of());

    boolean isComplete() {
        return !addresses.isEmpty() && awaited.isEmpty();
    }

    /** The names of those whom this instance works with: nobody, until it has their versions. */
    Set<String> names() {
        Set<String> names = new TreeSet<>();
        if (isComplete()) {
            addresses.forEach(address -> names.add(nameOf(address)));
        }
        return names;
    }

    /** Not that of an earlier process at the same place. */
    static String nameOf(Address address) {
        return address instanceof org.jgroups.util.UUID uuid ? uuid.toStringLong() : address.toString();
    }

    Address keeper() {
        return addresses.isEmpty() ? null : addresses.get(0);
    }
}
