/// Runs the core of nodes and clients through histories that a seed decides: a single thread, a
/// time of its own, and around the real classes models of the database, of pub/sub and of
/// sockets, which fail in every way that the real ones may. No process, no server, no socket: what
/// needs those is in `fault` and `chaos`. Bugs planted in the sources show that the checks find
/// what they are there to find.
@NullMarked
package io.confab.simulation;

import org.jspecify.annotations.NullMarked;
