/**
 * What clients and transaction managers agree on: frames ({@link org.fencepost.tm.wire.Wire}), conditions, TLS. It uses none of the other
 * rooms.
 */
package org.fencepost.tm.wire;
