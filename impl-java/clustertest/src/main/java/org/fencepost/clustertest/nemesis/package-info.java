/**
 * Clusters, of processes here or behind a script, and what disturbs them: {@link org.fencepost.clustertest.nemesis.Nemesis}. It counts and
 * records what it did, and knows neither verdicts nor what clients ask for.
 */
package org.fencepost.clustertest.nemesis;
