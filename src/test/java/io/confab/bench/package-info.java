/// What Confab costs beside floors and other servers, in one run of `scripts/bench`: a driver
/// ([io.confab.bench.Driver]) speaks to contestants ([io.confab.bench.Contestant]), each a process
/// of its own, in cells that take turns ([io.confab.bench.Rounds]); a ledger
/// ([io.confab.bench.Ledger]) makes a cell void in which anything was lost, repeated or out of
/// order, and processes of others ([io.confab.bench.Load]) make it count as disturbed.
/// `docs/performance.md` tells how to read the table.
@NullMarked
package io.confab.bench;

import org.jspecify.annotations.NullMarked;
