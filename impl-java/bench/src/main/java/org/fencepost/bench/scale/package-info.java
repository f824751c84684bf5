/** Clusters that nobody here has, in virtual time: the protocol's own classes over servers that take as long as was measured. */
package org.fencepost.bench.scale;
