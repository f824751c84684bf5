/**
 * One page of what is known: {@link org.fencepost.audit.report.Audit} has the models checked, reads what runs of the Java code left, and writes
 * the page. It uses all other rooms of the audit.
 */
package org.fencepost.audit.report;
