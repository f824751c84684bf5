/** Apache Omid as the system under test, by its own client. It uses {@code clustertest}, and nobody uses it. */
package org.fencepost.clustertest.peer;
