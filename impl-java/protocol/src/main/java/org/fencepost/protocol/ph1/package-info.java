/**
 * pH1 (Coelho et al., specs/PH1.tla): snapshot isolation over a store that keeps one value for each key.
 *
 * <p>Read {@link org.fencepost.protocol.ph1.PH1} first. It meets the world in {@link org.fencepost.protocol.ph1.UnversionedStore},
 * {@link org.fencepost.protocol.ph1.VersionStore}, {@link org.fencepost.protocol.ph1.RedoLog} and {@link org.fencepost.protocol.ph1.Certifier}.
 */
package org.fencepost.protocol.ph1;
