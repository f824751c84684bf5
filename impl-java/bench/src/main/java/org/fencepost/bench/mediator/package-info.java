/**
 * Transactions beside native operations ({@link org.fencepost.bench.mediator.BenchMediator}). It uses {@code bench.harness}.
 */
package org.fencepost.bench.mediator;
