/// Content for trying Confab out, made through the public API alone: the demo world and chat logs
/// that are said again.
///
/// [io.confab.demo.WorldScript] reads `world.txt`, [io.confab.demo.World] plays it;
/// [io.confab.demo.IrcLog] reads a log, [io.confab.demo.Replay] says it again. Both bring their
/// people along as a [io.confab.demo.Cast]. Every send has a `client_id` that follows from its
/// place, so that a second run adds nothing.
@NullMarked
package io.confab.demo;

import org.jspecify.annotations.NullMarked;
