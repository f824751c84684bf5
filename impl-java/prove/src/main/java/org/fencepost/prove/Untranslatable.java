package org.fencepost.prove;

import org.fencepost.audit.text.AuditException;
import tla2sany.semantic.SemanticNode;

/** What a specification says and the prover does not translate is an error that names the place. */
final class Untranslatable {
    private Untranslatable() {}

    static AuditException at(SemanticNode node, String why) {
        var place = node.getLocation();
        return new AuditException(place.source() + ".tla, line " + place.beginLine() + ", column " + place.beginColumn() + ": " + why + ".");
    }
}
