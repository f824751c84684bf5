/**
 * Runs the models and mutants in specs/ with TLC, and holds what TLC said against what is expected: {@code make check} is
 * {@link org.fencepost.audit.models.Check}. It uses {@code audit.text}, and knows neither traces nor the page.
 */
package org.fencepost.audit.models;
