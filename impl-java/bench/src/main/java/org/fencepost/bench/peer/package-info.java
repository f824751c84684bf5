/** Apache Omid, beside which benchmarks run. */
package org.fencepost.bench.peer;
