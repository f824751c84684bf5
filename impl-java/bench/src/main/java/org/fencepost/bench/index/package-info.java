/**
 * Indexes that are built while their table is written, checkpoints, and reads that region servers decide, each beside doing without. It uses {@code bench.harness}.
 */
package org.fencepost.bench.index;
