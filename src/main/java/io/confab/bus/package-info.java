/// The typed event bus: commands with their replies, addresses, one codec.
///
/// The only package that touches Vert.x' event bus. It is best effort: losing a message on it costs
/// time, never data.
@NullMarked
package io.confab.bus;

import org.jspecify.annotations.NullMarked;
