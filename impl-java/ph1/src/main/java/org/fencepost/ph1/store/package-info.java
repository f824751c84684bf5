/** What pH1 stands on: stores that keep one cell for each key, and the redo log in each of them. */
package org.fencepost.ph1.store;
