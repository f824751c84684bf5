/**
 * Carries a workload's operations out: connections, tables of the run's own, and the history as it comes about. It uses
 * {@code clustertest.workload} and {@code clustertest.verdict}.
 */
package org.fencepost.clustertest.client;
