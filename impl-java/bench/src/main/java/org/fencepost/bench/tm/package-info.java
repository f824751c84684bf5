/**
 * Transaction managers alone ({@link org.fencepost.bench.tm.BenchTm}), ours and Apache Omid's. It uses {@code bench.load} and
 * {@code bench.harness}.
 */
package org.fencepost.bench.tm;
