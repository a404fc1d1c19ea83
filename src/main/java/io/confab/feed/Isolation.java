package io.confab.feed;

import io.confab.feed.Digest.Origin;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Whether this node is cut off: it knows of other nodes, and for a while has reached neither one
/// of them nor the database. Nobody can tell it then whose rights have ended, so it must not
/// serve on (spec §4.5). A node that knows of no other is not cut off, whatever is away.
///
/// ```
/// peers heard ──1.2 s silence──► the database is asked ──10 s without either──► cut off
///      ▲                              │ answers for 10 s
///      └───────── heard ──────────────┴──► the silent peers are dead, and forgotten
/// ```
///
/// Plain code; time is handed in, in nanoseconds from anywhere. Not thread-safe.
final class Isolation {
  static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long LIMIT_NS = LIMIT.toNanos();
  private static final long SILENCE_NS = DigestWatch.SILENCE.toNanos();

  private final Map<Origin, Long> heardAt = new HashMap<>();
  private long databaseAt;
  private boolean cutOff;

  Isolation(long now) {
    this.databaseAt = now;
  }

  /// A peer was heard, by any way.
  void heard(Origin peer, boolean leaving, long now) {
    if (leaving) {
      heardAt.remove(peer);
    } else {
      heardAt.put(peer, now);
    }
  }

  /// This node slept and did not listen.
  void wake(long now) {
    databaseAt = now;
    heardAt.replaceAll((_, _) -> now);
  }

  /// Whether to ask the database: while a peer is heard there is no need.
  boolean asksDatabase(long now) {
    return areSilent(SILENCE_NS, now);
  }

  /// The database answers: who is silent all the same is not there any more.
  void databaseAnswered(long now) {
    databaseAt = now;
    heardAt.values().removeIf(at -> now - at >= LIMIT_NS);
  }

  /// To be called several times a second; says once each time that the node has been cut off.
  boolean tick(long now) {
    boolean before = cutOff;
    cutOff = areSilent(LIMIT_NS, now) && now - databaseAt >= LIMIT_NS;
    return cutOff && !before;
  }

  private boolean areSilent(long time, long now) {
    return !heardAt.isEmpty() && heardAt.values().stream().allMatch(at -> now - at >= time);
  }
}
