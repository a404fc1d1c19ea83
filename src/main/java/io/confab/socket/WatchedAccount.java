package io.confab.socket;

import io.confab.feed.AccountSignal.PresenceChanged;
import io.confab.feed.AccountSignal.StatusTextChanged;
import io.confab.presence.PresenceCommand.Presence;
import io.confab.presence.Sight;
import io.confab.protocol.AccountId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.PresenceView;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An account that sessions of one event loop watch, or that watches others there: what is known of
/// it, whoever may know. The newest word counts, whichever way it came.
final class WatchedAccount {
  private static final long UNKNOWN = -1;

  private final AccountId id;
  private final Set<Sighting> sightings = new HashSet<>(2);
  private final Set<PresenceWatch> watches = new HashSet<>(2);
  private final Set<WatchedRoom> rooms = new HashSet<>(2);
  private final Promise<Void> listening = Promise.promise();
  private PresenceStatus status = PresenceStatus.OFFLINE;
  private long version = UNKNOWN;
  private @Nullable Long seenAt;
  private String text = "";
  private long textVersion = UNKNOWN;

  /// When it may be told again, and whether that is scheduled.
  private long restsUntil = Long.MIN_VALUE;

  private boolean scheduled;

  /// How many its own sessions watch.
  private int watched;

  WatchedAccount(AccountId id) {
    this.id = id;
  }

  AccountId id() {
    return id;
  }

  /// Those who watch it.
  Set<Sighting> sightings() {
    return sightings;
  }

  List<Sighting> copyOfSightings() {
    return new ArrayList<>(sightings);
  }

  /// Its own sessions that watch others.
  Set<PresenceWatch> watches() {
    return watches;
  }

  /// How many its own sessions watch together.
  int watched() {
    return watched;
  }

  void watchesMore(int more) {
    watched += more;
  }

  /// Rooms of which it is a member and that are watched, small ones.
  Set<WatchedRoom> rooms() {
    return rooms;
  }

  boolean isUnused() {
    return sightings.isEmpty() && watches.isEmpty();
  }

  /// Completed when its signals are heard, or enough was waited for that.
  Promise<Void> listening() {
    return listening;
  }

  boolean isKnown() {
    return version != UNKNOWN;
  }

  PresenceView view(Sight sight) {
    return sight.view(id, status, seenAt, text);
  }

  /// Answers whether something else is known now.
  boolean learn(PresenceChanged change) {
    if (change.version() <= version) {
      return false;
    }
    version = change.version();
    seenAt = change.seenAt();
    boolean other = status != change.status();
    status = change.status();
    return other;
  }

  /// The same, by an answer that may be older than what was heard.
  boolean learn(Presence found) {
    if (found.version() < version) {
      return false;
    }
    version = found.version();
    boolean other = status != found.status();
    status = found.status();
    return other;
  }

  boolean learn(StatusTextChanged change) {
    return learnText(change.text(), change.version());
  }

  /// What the database knows of it.
  boolean learn(Sight sight) {
    Long at = sight.seenAt();
    boolean later = at != null && (seenAt == null || at > seenAt);
    if (later) {
      seenAt = at;
    }
    return learnText(sight.text(), sight.textVersion()) || later;
  }

  private boolean learnText(String now, long newest) {
    if (newest <= textVersion) {
      return false;
    }
    textVersion = newest;
    if (text.equals(now)) {
      return false; // those who were told the text share it
    }
    text = now;
    return true;
  }

  /// How long it has to wait until it may be told again; negative: somebody waits already.
  long rest(long now) {
    return scheduled ? -1 : Math.max(0, restsUntil == Long.MIN_VALUE ? 0 : restsUntil - now);
  }

  void waits() {
    scheduled = true;
  }

  void told(long restUntil) {
    scheduled = false;
    restsUntil = restUntil;
  }
}
