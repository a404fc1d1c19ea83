/// Servers and nodes that are split, replaced, restored or cut off, as clients of a running
/// service see it.
@NullMarked
package io.confab.scenario.operator;

import org.jspecify.annotations.NullMarked;
