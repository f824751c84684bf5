/**
 * Mixes of transactions on HBase ({@link org.fencepost.bench.mix.Bench}), ours, Apache Omid's and none, with others' load behind them. It uses
 * {@code bench.load} and {@code bench.harness}.
 */
package org.fencepost.bench.mix;
