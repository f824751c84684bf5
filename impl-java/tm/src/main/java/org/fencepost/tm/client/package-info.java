/**
 * The transaction manager as its clients see it: {@link org.fencepost.tm.client.RemoteTransactionManager}, and Mediator's
 * {@link org.fencepost.tm.client.RemoteOracle}. It uses {@code tm.wire}, and {@code tm.zookeeper} to find who serves; nothing of the server.
 */
package org.fencepost.tm.client;
