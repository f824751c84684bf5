/**
 * The process: {@link org.fencepost.tm.server.TmServer} starts, {@link org.fencepost.tm.server.TmService} serves on one thread,
 * {@link org.fencepost.tm.server.TmConnection} has a client, {@link org.fencepost.tm.server.Admission} holds clients to their limits. It uses all
 * other rooms but {@code tm.client}.
 */
package org.fencepost.tm.server;
