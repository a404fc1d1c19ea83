package io.confab.feed;

import io.confab.feed.Digest.Origin;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Whether this node is cut off: it knows of other nodes, and for a while has reached neither one
/// of them nor the database. Nobody can tell it then whose rights have ended, so it must not
/// serve on (spec §4.5). A node that knows of no other is not cut off, whatever is away.
///
/// While no peer is heard the database is asked. It alone can then tell whether this node is cut
/// off, so a node is so only when it was not answered for as long. A peer that is silent while this
/// node is reached is dead, and forgotten: after [#LIMIT] if the database answers, after a minute
/// if other peers are heard, and at once if the same node is heard as a newer process.
///
/// Plain code; time is handed in, in nanoseconds in which this node was awake. Not thread-safe.
final class Isolation {
  static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long LIMIT_NS = LIMIT.toNanos();
  private static final long SILENCE_NS = DigestWatch.SILENCE.toNanos();

  private static final long DEAD_NS = Duration.ofMinutes(1).toNanos();

  private final Map<Origin, Long> heardAt = new HashMap<>();
  private long peerAt;
  private long databaseAt;
  private boolean cutOff;

  /// A peer was heard, by any way.
  void heard(Origin peer, boolean leaving, long now) {
    peerAt = now;
    heardAt.keySet().removeIf(each -> each.node().equals(peer.node()));
    if (!leaving) {
      heardAt.put(peer, now);
    }
    heardAt.values().removeIf(at -> now - at >= DEAD_NS);
  }

  /// Whether to ask the database: while a peer is heard there is no need.
  boolean asksDatabase(long now) {
    return !heardAt.isEmpty() && now - peerAt >= SILENCE_NS;
  }

  /// The database answers: who is silent all the same is not there any more.
  void databaseAnswered(long now) {
    databaseAt = now;
    heardAt.values().removeIf(at -> now - at >= LIMIT_NS);
  }

  /// To be called several times a second; says once each time that the node has been cut off.
  boolean tick(long now) {
    boolean before = cutOff;
    cutOff = !heardAt.isEmpty() && now - Math.max(peerAt, databaseAt) >= LIMIT_NS;
    return cutOff && !before;
  }
}
