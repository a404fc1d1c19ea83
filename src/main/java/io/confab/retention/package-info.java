/// Removes what is over, so that tables do not grow without a bound: one node at a time, in short
/// transactions.
///
/// What is removed is a [io.confab.retention.Rule] of the package that owns the table; this one
/// knows when and how much at once, and that nobody else does it meanwhile.
///
/// Owns the table `sweep`.
@NullMarked
package io.confab.retention;

import org.jspecify.annotations.NullMarked;
