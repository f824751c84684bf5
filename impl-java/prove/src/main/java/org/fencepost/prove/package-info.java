/**
 * Proves for any number of transactions and keys what TLC checks for two or three. {@link org.fencepost.prove.Translator} reads the
 * specification itself, through TLC's parser; nothing is transcribed.
 */
package org.fencepost.prove;
