/// Chat in a terminal: what is printed, what may be typed, and where the sign-in is kept.
///
/// ```
/// Keyboard ─► Input ───────┐                    ┌─► Transcript, News ─► Screen
///                          ├─► Chat (one queue, ┤
/// ConfabClient ──► listener┘    one thread)     └─► Commands ─► ConfabClient, ConfabApi
///
/// SealedRooms ──► SealedEars ─► the same queue; SealedTalk, SealedCommands ─► SealedRooms
///
/// what is piped in ─► Input ─► Pipe ─► Commands ─► ConfabApi
/// ```
///
/// [io.confab.terminal.Editor] is keyboard and screen where lines can be edited.
///
/// Nothing that others wrote reaches the terminal but through [io.confab.screen.Plain].
@NullMarked
package io.confab.terminal;

import org.jspecify.annotations.NullMarked;
