/// Runs the core of nodes and clients through histories that a seed decides: a single thread, a
/// time of its own, and around the real classes models of the database, of pub/sub and of
/// sockets, which fail in every way that the real ones may.
@NullMarked
package io.confab.simulation;

import org.jspecify.annotations.NullMarked;
