package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.feed.Event;
import io.confab.feed.Subscriber;
import io.confab.feed.Subscription;
import io.confab.presence.PresenceCommand.CountOnline;
import io.confab.presence.PresenceCommand.FoundRoom;
import io.confab.presence.PresenceCommand.OnlineCount;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A room that sessions of one event loop watch. Of a small one they watch the members, those who
/// come later too, and hear how many are there as far as they may know; of a large one they hear
/// the number alone, the more seldom the more members there are.
final class WatchedRoom implements Subscriber {
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final RoomId id;
  private final SocketLoop loop;
  private final Requests bus;
  private final WatchedRooms all;
  private final Set<PresenceWatch> watches = new LinkedHashSet<>();
  private final Set<AccountId> members = new HashSet<>();
  private @Nullable Subscription followed;
  private @Nullable OnlineCount last;
  private boolean large;
  private long size;
  private boolean counting;
  private boolean reading;

  /// @param all reads who is in it
  WatchedRoom(RoomId id, SocketLoop loop, Requests bus, WatchedRooms all) {
    this.id = id;
    this.loop = loop;
    this.bus = bus;
    this.all = all;
  }

  RoomId id() {
    return id;
  }

  /// The sessions that watch it.
  Set<PresenceWatch> watches() {
    return watches;
  }

  boolean isUnused() {
    return watches.isEmpty();
  }

  void join(PresenceWatch watch) {
    if (watches.add(watch)) {
      members.forEach(member -> see(watch, member));
    }
  }

  void leave(PresenceWatch watch) {
    if (watches.remove(watch)) {
      members.forEach(member -> unsee(watch, member));
      if (watches.isEmpty()) {
        unfollow();
        loop.presence().countMembers(-members.size());
        members.clear();
      }
    }
  }

  private void see(PresenceWatch watch, AccountId member) {
    watch.see(member, 1).of().rooms().add(this);
  }

  private void unsee(PresenceWatch watch, AccountId member) {
    WatchedAccount account = watch.see(member, -1).of();
    if (watches.isEmpty() || !members.contains(member)) {
      account.rooms().remove(this);
    }
  }

  /// Whether this is what is known: else it is older, or newer.
  private boolean isKnown(FoundRoom found) {
    return large == found.isLarge()
        && members.size() == found.accounts().size()
        && members.containsAll(found.accounts());
  }

  /// A session has read this, at a time of its own: what the room has read itself counts.
  void compare(FoundRoom found) {
    if (!isKnown(found)) {
      read();
    }
  }

  /// Who is in the room now: what was read after all that was learnt before.
  void learn(FoundRoom now) {
    if (watches.isEmpty()) {
      return;
    }
    size = now.members();
    large = now.isLarge();
    Set<AccountId> left = new HashSet<>(members);
    now.accounts().forEach(left::remove);
    List<AccountId> joined =
        now.accounts().stream().filter(member -> !members.contains(member)).toList();
    left.forEach(members::remove);
    members.addAll(joined);
    loop.presence().countMembers(joined.size() - left.size());
    for (PresenceWatch watch : new ArrayList<>(watches)) {
      left.forEach(member -> unsee(watch, member));
      joined.forEach(member -> see(watch, member));
      if (!large && !members.contains(watch.viewer())) {
        all.check(watch, this); // it may have come since
      }
    }
    if (large) {
      unfollow();
    } else if (followed == null && !watches.isEmpty()) {
      followed = loop.feeds().attach(id, this);
    }
    countSoon();
  }

  private void unfollow() {
    if (followed != null) {
      loop.feeds().detach(followed);
      followed = null;
    }
  }

  /// Who came or left before was not heard.
  @Override
  public void ready() {
    readSoon();
  }

  @Override
  public void event(Event event) {
    switch (event.subject()) {
      case Event.OfRoom _, Event.Departure _ -> readSoon();
      case Event.OfMessage _, Event.OfChange _, Event.OfSealed _ -> {}
    }
  }

  /// A moment later, since changes of members come together.
  private void readSoon() {
    if (!reading) {
      reading = true;
      loop.wheel()
          .after(
              SHORTEST,
              () -> {
                reading = false;
                read();
              });
    }
  }

  private void read() {
    if (!watches.isEmpty()) {
      all.read(this);
    }
  }

  /// Done when a number can be told.
  Future<Void> count() {
    return large
        ? bus.request(new CountOnline(id))
            .map(
                now -> {
                  last = now;
                  return null;
                })
        : Future.succeededFuture();
  }

  /// How many are there, as far as this one may know.
  long online(PresenceWatch watch) {
    if (!large) {
      return members.stream().filter(watch::seesPresent).count();
    }
    return last == null ? 0 : last.shownTo(watch.viewer());
  }

  /// Tells the number, once the time since the last one has passed.
  void countSoon() {
    if (!counting && !watches.isEmpty()) {
      counting = true;
      loop.wheel().after(period(), this::countNow);
    }
  }

  private Duration period() {
    Duration period = large ? Duration.ofMillis(size) : SHORTEST;
    return period.compareTo(SHORTEST) > 0 ? period : SHORTEST;
  }

  private void countNow() {
    count()
        .onComplete(
            counted -> {
              counting = false;
              boolean all =
                  counted.failed()
                      || watches.stream()
                          .map(watch -> watch.tell(this))
                          .reduce(true, (a, b) -> a && b);
              OnlineCount now = last;
              if (large && now != null && now.members() <= FoundRoom.MOST_NAMED) {
                readSoon();
              }
              if (large || !all) {
                countSoon();
              }
            });
  }
}
