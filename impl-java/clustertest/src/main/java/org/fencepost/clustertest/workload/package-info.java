/**
 * What clients ask for in a run, and which ways through the protocols it must have taken ({@link org.fencepost.clustertest.workload.Paths}).
 * It knows operations and histories, in {@code clustertest.verdict}, and no cluster.
 */
package org.fencepost.clustertest.workload;
