/** The protocol's interfaces in this process and in memory, for tests and simulation. Nothing survives the process. */
package org.fencepost.protocol.memory;
