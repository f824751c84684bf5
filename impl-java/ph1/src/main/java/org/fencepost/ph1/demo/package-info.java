/** Nodes and instances in processes of their own, for tests and the demo. */
package org.fencepost.ph1.demo;
