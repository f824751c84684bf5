/**
 * What the other rooms of the audit share: text of specs, TLA+ values, JSON, where the Java methods are, and how TLC and other programs are
 * found and called. It uses none of them.
 */
package org.fencepost.audit.text;
