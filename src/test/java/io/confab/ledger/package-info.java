/// What must hold, whatever breaks: a history of everything that was sent, acknowledged and
/// received, and the invariants that it is checked against. Time and what happened are handed in;
/// nothing here does I/O but the optional file of a history.
@NullMarked
package io.confab.ledger;

import org.jspecify.annotations.NullMarked;
