/**
 * Histories, and who judges them: by timestamps ({@link org.fencepost.clustertest.verdict.Judge},
 * {@link org.fencepost.clustertest.verdict.MixedJudge}), by what clients saw, by traces. It asks no cluster, and knows none of the other rooms.
 */
package org.fencepost.clustertest.verdict;
