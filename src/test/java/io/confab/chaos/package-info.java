/// A fleet of clients against real nodes, PostgreSQL and Redis while a nemesis kills, freezes and
/// cuts them; everything goes to a history with one clock, which is checked afterwards. Run by
/// `scripts/chaos` and, for two minutes, as a test.
@NullMarked
package io.confab.chaos;

import org.jspecify.annotations.NullMarked;
