package io.confab.terminal;

import io.confab.client.ChatMessage;
import io.confab.client.ChatRoom;
import io.confab.client.RoomPosition;
import io.confab.client.RoomSignal;
import io.confab.client.RoomUpdate;
import io.confab.protocol.AccountId;
import io.confab.protocol.Mention;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What is unread in the rooms that are followed: as the server says, and what came since.
final class News {
  /// Messages of a room that may be newer than a count that comes behind them.
  private static final int MOST_NEWER = 100;

  private final AccountId self;

  /// The last message of each room that is counted.
  private final Map<RoomId, Seq> counted = new HashMap<>();

  /// Of those the ones that came as messages, and are unread.
  private final Map<RoomId, NavigableMap<Seq, Unread>> came = new HashMap<>();

  private final Map<RoomId, Unread> unread = new LinkedHashMap<>();

  /// The rooms whose news were told since they were open.
  private final Set<RoomId> told = new HashSet<>();

  /// @param self whose messages are not counted
  News(AccountId self) {
    this.self = self;
  }

  /// A room is followed from here on.
  void begin(RoomPosition room) {
    counted.put(room.roomId(), room.seq());
  }

  void end(RoomId room) {
    counted.remove(room);
    seen(room);
  }

  /// What the server has counted, up to where each room stood then.
  void listed(List<ChatRoom> rooms) {
    rooms.forEach(room -> recounted(room.roomId(), Unread.of(room), room.seq()));
  }

  /// Something was read elsewhere, edited or deleted.
  void recounted(RoomSignal.Unread count) {
    recounted(count.roomId(), new Unread(count.unread(), count.mentions()), count.seq());
  }

  private void recounted(RoomId room, Unread count, Seq seq) {
    counted.merge(room, seq, Seq::later);
    NavigableMap<Seq, Unread> newer = came.getOrDefault(room, new TreeMap<>());
    newer.headMap(seq, true).clear();
    set(room, newer.values().stream().reduce(count, Unread::and));
  }

  private void set(RoomId room, Unread now) {
    if (now.isNone()) {
      seen(room);
    } else {
      unread.put(room, now);
    }
  }

  /// Whether these are the first news of this room.
  boolean add(RoomUpdate update) {
    Stream<New> messages =
        switch (update) {
          case RoomUpdate.Said said -> Stream.of(of(said.message()));
          case RoomUpdate.Sealed sealed -> Stream.of(of(sealed));
          case RoomUpdate.Reset reset -> reset.page().messages().stream().map(this::of);
          case RoomUpdate.Edited _, RoomUpdate.OfChange _ -> Stream.empty();
        };
    boolean any = messages.filter(one -> count(update.roomId(), one)).count() > 0;
    return any && told.add(update.roomId());
  }

  /// @param unread nothing: it is one's own, or deleted
  private record New(Seq seq, Unread unread) {}

  private New of(ChatMessage message) {
    boolean others = !message.senderId().equals(self) && !message.isDeleted();
    return new New(
        message.seq(), others ? new Unread(1, mentions(message, self) ? 1 : 0) : Unread.none());
  }

  /// Whom it mentions only the devices of the room know.
  private New of(RoomUpdate.Sealed sealed) {
    boolean own = sealed.change().actorId().equals(self);
    return new New(sealed.seq(), own ? Unread.none() : new Unread(1, 0));
  }

  /// Whether it is a new one of somebody else.
  private boolean count(RoomId room, New one) {
    if (one.seq().compareTo(counted.getOrDefault(room, Seq.ZERO)) <= 0) {
      return false;
    }
    counted.put(room, one.seq());
    if (!one.unread().isNone()) {
      unread.merge(room, one.unread(), Unread::and);
      keep(room, one);
    }
    return !one.unread().isNone();
  }

  private void keep(RoomId room, New one) {
    NavigableMap<Seq, Unread> newest = came.computeIfAbsent(room, _ -> new TreeMap<>());
    newest.put(one.seq(), one.unread());
    if (newest.size() > MOST_NEWER) {
      newest.pollFirstEntry();
    }
  }

  /// Whether a message mentions somebody, as far as it tells by itself.
  static boolean mentions(ChatMessage message, AccountId who) {
    List<Mention> all = Optional.ofNullable(message.mentions()).orElse(List.of());
    return all.contains(Mention.of(who)) || all.contains(Mention.ALL);
  }

  /// The room is open and what came to it is seen.
  void seen(RoomId room) {
    unread.remove(room);
    came.remove(room);
    told.remove(room);
  }

  /// The rooms but the open one with their numbers, people first.
  String text(Optional<RoomId> open, Function<RoomId, String> title) {
    return unread.entrySet().stream()
        .filter(room -> open.filter(room.getKey()::equals).isEmpty())
        .map(room -> title.apply(room.getKey()) + " " + room.getValue().number())
        .sorted((a, b) -> Boolean.compare(b.startsWith("@"), a.startsWith("@")))
        .collect(Collectors.joining(" · "));
  }
}
