/// PostgreSQL and Redis as child processes, for the one-command default.
///
/// ```
/// DataDir ── lock, secrets, folders
///    │
/// Servers ─┬─ EmbeddedPostgres ─┐
///          └─ EmbeddedRedis ────┴─ EmbeddedServer ── Supervisor ── ServerProcess ── LogFile
///                │                                 (starts again)  (pipe watchdog)
///             Binaries, ServerUser
/// ```
///
/// `Backup` copies the database and the secrets to a file while nodes work on them; `Restore` makes
/// a data folder of it.
///
/// Nothing here knows Vert.x; every call blocks and is bounded in time, so none belongs on an event
/// loop. A server lives as long as a pipe from this JVM: a small shell beside the server waits for
/// the end of the pipe and then stops the server, so that even `kill -9` of the JVM leaves no
/// process behind.
@NullMarked
package io.confab.embedded;

import org.jspecify.annotations.NullMarked;
