/**
 * What all benchmarks are made of: options, processes of servers, slices that take turns, spreads, JSON and pictures. It knows none of them.
 */
package org.fencepost.bench.harness;
