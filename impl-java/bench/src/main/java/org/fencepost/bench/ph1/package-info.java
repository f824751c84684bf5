/** Transactions of pH1, of Omid LL and of Apache Omid beside the stores alone: a mix of YCSB's, and two transactions of TPC-C. */
package org.fencepost.bench.ph1;
