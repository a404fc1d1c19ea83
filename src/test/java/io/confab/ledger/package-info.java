/// What must hold, whatever breaks: a history of everything that was sent, acknowledged and
/// received, and the invariants that it is checked against. Time and events are handed in; nothing
/// here makes a fault, or does I/O but for the optional file of a history. `chaos` writes such
/// histories of real nodes; `simulation` checks its own, of which it knows everything.
@NullMarked
package io.confab.ledger;

import org.jspecify.annotations.NullMarked;
