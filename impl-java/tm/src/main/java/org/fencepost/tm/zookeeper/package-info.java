/**
 * What transaction managers share, in ZooKeeper: {@link org.fencepost.tm.zookeeper.SharedObjects}, the lease and the epoch. It uses none of the
 * other rooms.
 */
package org.fencepost.tm.zookeeper;
