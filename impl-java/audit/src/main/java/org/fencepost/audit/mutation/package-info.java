/**
 * Changes specs and models by machine, and reports what no model notices: {@code make check-mutate} is
 * {@link org.fencepost.audit.mutation.CheckMutate}, {@code make check-gate} {@link org.fencepost.audit.mutation.CheckGate}. It runs them by
 * {@code audit.models}, which does not know it.
 */
package org.fencepost.audit.mutation;
