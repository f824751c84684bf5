/**
 * What Mediator's transaction manager stands on: {@link org.fencepost.mediator.BookKeeperLedgers} is its log,
 * {@link org.fencepost.mediator.Backend} brings that and HBase together.
 */
package org.fencepost.mediator;
