/** pH1 as the system under test: instances on the cluster's nodes, and clients of theirs. It uses {@code clustertest}, and nobody uses it. */
package org.fencepost.clustertest.ph1;
