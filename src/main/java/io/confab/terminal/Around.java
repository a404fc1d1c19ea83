package io.confab.terminal;

import io.confab.client.ChatRoom;
import io.confab.client.Presence;
import io.confab.client.PresenceSignal;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.screen.Plain;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Who is there: the members of the open room, and those with whom the account has direct rooms, as
/// the server tells it while they are watched. For any thread.
final class Around {
  /// A watch names no more.
  private static final int MOST_PARTNERS = 1_000;

  private static final String OFFLINE = "offline";

  private final BiConsumer<Set<AccountId>, Set<RoomId>> watch;
  private final Map<RoomId, AccountId> partners = new LinkedHashMap<>();
  private final Map<AccountId, Presence> told = new HashMap<>();
  private final Map<RoomId, Long> online = new HashMap<>();
  private @Nullable RoomId open;
  private boolean followed;

  /// @param watch gets what is to be watched from now on
  Around(BiConsumer<Set<AccountId>, Set<RoomId>> watch) {
    this.watch = watch;
  }

  /// Nobody is watched.
  static Around nobody() {
    return new Around((_, _) -> {});
  }

  /// The account is in these rooms.
  synchronized void listed(Collection<ChatRoom> rooms) {
    boolean added = false;
    for (ChatRoom room : rooms) {
      added |= add(room);
    }
    if (added) {
      begin();
    }
  }

  private boolean add(ChatRoom room) {
    AccountId peer = room.peerId();
    return peer != null
        && partners.size() < MOST_PARTNERS
        && partners.put(room.roomId(), peer) == null;
  }

  synchronized void opened(ChatRoom room) {
    boolean added = add(room);
    if (added || !room.roomId().equals(open)) {
      open = room.roomId();
      followed = false;
      begin();
    }
  }

  /// The account is in the room no longer.
  synchronized void left(RoomId room) {
    boolean shown = room.equals(open);
    if (shown) {
      open = null;
      followed = false;
    }
    if (partners.remove(room) != null || shown) {
      begin();
    }
  }

  private void begin() {
    watch.accept(
        Set.copyOf(partners.values()), Optional.ofNullable(open).map(Set::of).orElse(Set.of()));
  }

  /// From now on it is told who of the open room comes and goes, until another one is open.
  synchronized void follow(RoomId room) {
    followed = room.equals(open);
  }

  /// Takes in what is told; answers what somebody has become whom it is told of, if that is
  /// something else than before: another one of a direct room, or of the room that is followed.
  synchronized Optional<Presence> take(PresenceSignal signal) {
    return switch (signal) {
      case PresenceSignal.Began _ -> {
        told.keySet().retainAll(Set.copyOf(partners.values()));
        online.clear();
        yield Optional.empty();
      }
      case PresenceSignal.Count(RoomId room, long count) -> {
        online.put(room, count);
        yield Optional.empty();
      }
      case PresenceSignal.Person(Presence now) -> {
        Presence before = told.put(now.accountId(), now);
        yield isTold(now.accountId(), before) && !text(now).equals(text(before))
            ? Optional.of(now)
            : Optional.empty();
      }
    };
  }

  /// Nobody is told what is only how it stands at first: the numbers of rooms follow that.
  private boolean isTold(AccountId who, @Nullable Presence before) {
    return partners.containsValue(who) ? before != null : followed && !online.isEmpty();
  }

  private static String text(@Nullable Presence presence) {
    return presence == null ? OFFLINE : said(presence);
  }

  /// What somebody is, safe to print: `away, At lunch`.
  static String said(Presence presence) {
    String text = presence.text();
    return Plain.line(presence.status() + (text == null ? "" : ", " + text));
  }

  /// What the other one of a direct room is; empty for any other room, and while it is not known.
  synchronized Optional<String> other(RoomId room) {
    return Optional.ofNullable(partners.get(room))
        .flatMap(who -> Optional.ofNullable(told.get(who)))
        .map(Around::said);
  }

  /// How many of the members of a room are there, while that is told.
  synchronized OptionalLong online(RoomId room) {
    Long count = online.get(room);
    return count == null ? OptionalLong.empty() : OptionalLong.of(count);
  }
}
