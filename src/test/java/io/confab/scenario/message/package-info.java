/// Sends, edits, deletions and what readers get of them, through the public protocol.
@NullMarked
package io.confab.scenario.message;

import org.jspecify.annotations.NullMarked;
