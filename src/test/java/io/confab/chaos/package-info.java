/// A fleet of clients against real nodes, PostgreSQL and Redis while faults are made at random,
/// or at crash points between two steps of a change. Everything goes to a history of `ledger` with
/// one clock, which is checked afterwards; the nodes are processes of `fault`. What is about seats
/// has a log and checks of its own. Run by `scripts/chaos`, `scripts/crash-points` and
/// `scripts/soak-seats` and, shortened, as tests.
@NullMarked
package io.confab.chaos;

import org.jspecify.annotations.NullMarked;
