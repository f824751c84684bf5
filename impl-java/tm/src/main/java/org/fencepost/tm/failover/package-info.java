/**
 * Which transaction manager serves, and until when (specs/TMFailover.tla): {@link org.fencepost.tm.failover.HighAvailability} first, then
 * {@link org.fencepost.tm.failover.Tenure}. It uses {@code tm.zookeeper}, and {@code tm.wire} for what a refusal is called.
 */
package org.fencepost.tm.failover;
