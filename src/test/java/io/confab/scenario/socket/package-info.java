/// Upgrades, frames, resuming, limits and closes, through the public protocol.
@NullMarked
package io.confab.scenario.socket;

import org.jspecify.annotations.NullMarked;
