package io.confab.feed;

import io.confab.feed.Digest.Origin;
import io.confab.time.AwakeTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Follows the digests of all nodes and says when they do not tell everything, so that this node
/// has to compare all it holds with the database.
///
/// ```
/// a peer:  heard ──1.2 s──► silent: compare, again every second ──gone──► compare, forget
///            └──── leaving ─────────────────────────────────────────────┘
/// ```
///
/// After `gone` nothing that a dead peer had under way can still be committed. A node that does not
/// hear itself through Redis is deaf, and compares regularly: nodes may be there of which it knows
/// nothing. Where it hears all nodes that it knows over the bus, it compares half as often. A node
/// that may be unheard says so in the database; while it does, and for as long as `gone` after,
/// those that do not hear it compare.
///
/// Plain code; time is handed in, in nanoseconds from anywhere. Not thread-safe.
final class DigestWatch {
  static final Duration SILENCE = Duration.ofMillis(1_200);
  private static final long SILENCE_NS = SILENCE.toNanos();
  private static final long AGAIN_NS = Duration.ofSeconds(1).toNanos();
  private static final long AGAIN_BY_BUS_NS = Duration.ofSeconds(2).toNanos();

  static final Duration TICK = Duration.ofMillis(250);

  /// On which way a digest came.
  enum Way {
    REDIS,
    BUS
  }

  /// What to do about a digest.
  ///
  /// @param fresh whether its contents are to be looked at
  /// @param missed how many before it were not heard
  record Verdict(boolean fresh, long missed, Optional<CompareReason> compare) {
    private static final Verdict IGNORE = new Verdict(false, 0, Optional.empty());
  }

  private static final class Peer {
    private long number;
    private long heardAt;
    private boolean silent;
    private boolean leaving;
    private long forgetAt;
  }

  private final Origin self;
  private final long goneNs;
  private final long startedAt;
  private final Map<Origin, Peer> peers = new HashMap<>();

  /// Nodes that said in the database that they may be unheard, and until when something that they
  /// began may take.
  private final Map<Origin, Long> lone = new HashMap<>();

  private final Isolation isolation;
  private final AwakeTime awake;
  private long heardSelfAt;

  /// The same by the clock, which goes on while this node is not awake.
  private long echoedAt;

  private long comparedAt;
  private boolean starting = true;
  private boolean young = true;
  private boolean knewPeers;

  /// @param gone how long something that a dead node began may take
  DigestWatch(Origin self, Duration gone, long now) {
    this.self = self;
    this.goneNs = gone.toNanos();
    this.startedAt = now;
    this.awake = new AwakeTime(TICK, now);
    this.echoedAt = now;
    this.comparedAt = now;
    this.isolation = new Isolation();
  }

  Isolation isolation() {
    return isolation;
  }

  /// How long this node has been awake to hear others.
  long awake(long now) {
    return awake.at(now);
  }

  Origin self() {
    return self;
  }

  /// Whether this node's own digests do not come back through Redis.
  boolean isDeaf(long now) {
    return awake(now) - heardSelfAt >= SILENCE_NS;
  }

  /// Whether no other node is there as far as can be known: this one hears itself, so that it would
  /// hear others, and has been there for so long that it knows of all that died before.
  boolean isAlone(long now) {
    return !young && peers.isEmpty() && !isDeaf(now);
  }

  /// Whether other nodes may hear nothing of this one: it has not heard itself for a while, or
  /// hears none any more of those that it once heard. Whoever slept for as long was silent, and may
  /// have been forgotten: what it stores when it wakes nobody expects.
  boolean mayBeUnheard(long now) {
    return now - echoedAt >= SILENCE_NS
        || (knewPeers && peers.keySet().stream().noneMatch(p -> hears(p, now)));
  }

  private boolean hears(Origin origin, long now) {
    Peer peer = peers.get(origin);
    return peer != null && awake(now) - peer.heardAt < SILENCE_NS;
  }

  /// These nodes say in the database that they may be unheard; says whether to compare now.
  /// To be called once a second: one that said so and says it no longer may have died, and is not
  /// forgotten before a peer would be.
  Optional<CompareReason> lone(List<Origin> nodes, long now) {
    nodes.forEach(node -> lone.put(node, now + goneNs));
    lone.values().removeIf(until -> now - until > 0);
    lone.keySet().removeIf(node -> node.equals(self) || hears(node, now));
    if (lone.isEmpty()) {
      return Optional.empty();
    }
    comparedAt = now;
    return Optional.of(CompareReason.LONE);
  }

  Verdict heard(Digest digest, Way way, long now) {
    if (digest.origin().equals(self)) {
      if (way == Way.REDIS) {
        heardSelfAt = awake(now);
        echoedAt = now;
      }
      return Verdict.IGNORE;
    }
    isolation.heard(digest.origin(), digest.leaving(), awake(now));
    knewPeers = true;
    boolean known = peers.containsKey(digest.origin());
    Peer peer = peers.computeIfAbsent(digest.origin(), _ -> new Peer());
    long missed = digest.number() - peer.number - 1;
    peer.heardAt = awake(now);
    peer.silent = false;
    if (missed < 0) {
      return Verdict.IGNORE; // it came on both ways
    }
    peer.number = digest.number();
    if (digest.leaving()) {
      peer.leaving = true;
      peer.forgetAt = now + goneNs;
    }
    Optional<CompareReason> reason =
        missed > 0 && !known
            ? newcomer()
            : missed > 0 ? Optional.of(CompareReason.MISSED) : full(digest);
    reason.ifPresent(_ -> comparedAt = now);
    return new Verdict(true, known ? missed : 0, reason);
  }

  private static Optional<CompareReason> full(Digest digest) {
    return digest.contents().more() ? Optional.of(CompareReason.OVERFULL) : Optional.empty();
  }

  /// A peer that has spoken before is heard for the first time. A node that starts hears all its
  /// peers so, and compares a moment later anyway.
  private Optional<CompareReason> newcomer() {
    return starting ? Optional.empty() : Optional.of(CompareReason.NEWCOMER);
  }

  /// To be called once a [#TICK]; says whether to compare now.
  Optional<CompareReason> tick(long now) {
    awake.look(now);
    Optional<CompareReason> reason =
        forgetTheGone(now).or(() -> noticeSilence(now)).or(() -> start(now)).or(() -> repeat(now));
    reason.ifPresent(_ -> comparedAt = now);
    return reason;
  }

  private Optional<CompareReason> forgetTheGone(long now) {
    boolean anyone = false;
    for (Iterator<Peer> rest = peers.values().iterator(); rest.hasNext(); ) {
      Peer peer = rest.next();
      if ((peer.silent || peer.leaving) && now - peer.forgetAt >= 0) {
        rest.remove();
        anyone = true;
      }
    }
    return anyone ? Optional.of(CompareReason.GONE) : Optional.empty();
  }

  private Optional<CompareReason> noticeSilence(long now) {
    boolean anyone = false;
    for (Peer peer : peers.values()) {
      if (!peer.silent && !peer.leaving && awake(now) - peer.heardAt >= SILENCE_NS) {
        peer.silent = true;
        peer.forgetAt = now + goneNs;
        anyone = true;
      }
    }
    return anyone ? Optional.of(CompareReason.SILENT) : Optional.empty();
  }

  /// The silence of a peer that died before it was heard is not noticed. So a node that starts
  /// compares once at the time at which it would have been noticed, and once when all that such a
  /// peer had under way must be over.
  private Optional<CompareReason> start(long now) {
    long age = now - startedAt;
    if (starting && age >= SILENCE_NS) {
      starting = false;
      return Optional.of(CompareReason.START);
    }
    if (young && age >= SILENCE_NS + goneNs) {
      young = false;
      return Optional.of(CompareReason.START);
    }
    return Optional.empty();
  }

  private Optional<CompareReason> repeat(long now) {
    boolean silence = peers.values().stream().anyMatch(peer -> peer.silent);
    if (isDeaf(now)) {
      boolean heard = peers.values().stream().anyMatch(peer -> !peer.leaving);
      long every = heard && !silence ? AGAIN_BY_BUS_NS : AGAIN_NS;
      return now - comparedAt >= every ? Optional.of(CompareReason.DEAF) : Optional.empty();
    }
    return silence && now - comparedAt >= AGAIN_NS
        ? Optional.of(CompareReason.SILENT)
        : Optional.empty();
  }
}
