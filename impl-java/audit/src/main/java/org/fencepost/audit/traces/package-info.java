/**
 * Asks whether recorded runs are behaviours of the specs: {@link org.fencepost.audit.traces.TraceCheck}. Each protocol's traces have a
 * {@link org.fencepost.audit.traces.TraceFormat}. It uses {@code audit.text}, and knows neither models nor the page.
 */
package org.fencepost.audit.traces;
