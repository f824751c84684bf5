/**
 * The load of begins and commits that a transaction manager is given, ours or Apache Omid's: {@link org.fencepost.bench.load.Generator}. It
 * starts nothing, and knows none of the other rooms.
 */
package org.fencepost.bench.load;
