/// Chat in a terminal: what is printed, what may be typed, and where the sign-in is kept.
///
/// ```
/// standard input ─► Input ─┐                    ┌─► Transcript ─► Screen
///                          ├─► Chat (one queue, ┤
/// ConfabClient ──► listener┘    one thread)     └─► ConfabClient
/// ```
///
/// Nothing that others wrote reaches the terminal but through [io.confab.screen.Plain].
@NullMarked
package io.confab.terminal;

import org.jspecify.annotations.NullMarked;
