/**
 * What requests get to see of a row, on its region server: records with their commit cells, of a snapshot or of all, whatever the request asked
 * for. Filters and loops over a region's cells; they know neither observers nor the transaction manager.
 */
package org.fencepost.hbase.server.rows;
