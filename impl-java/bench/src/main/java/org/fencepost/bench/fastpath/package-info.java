/**
 * Single operations, fast and regular, side by side ({@link org.fencepost.bench.fastpath.BenchFp}). It uses {@code bench.harness}.
 */
package org.fencepost.bench.fastpath;
