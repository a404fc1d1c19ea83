package io.confab.terminal;

import io.confab.client.ChatMessage;
import io.confab.client.ChatRoom;
import io.confab.client.RoomPosition;
import io.confab.client.RoomSignal;
import io.confab.client.RoomUpdate;
import io.confab.protocol.AccountId;
import io.confab.protocol.Mention;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What is unread in the rooms that are followed: as the server says, and what came since.
final class News {
  private final AccountId self;
  private final Map<RoomId, Rev> counted = new HashMap<>();
  private final Map<RoomId, Unread> unread = new LinkedHashMap<>();

  /// The rooms whose news were told since they were open.
  private final Set<RoomId> told = new HashSet<>();

  /// @param self whose messages are not counted
  News(AccountId self) {
    this.self = self;
  }

  /// A room is followed from here on.
  void begin(RoomPosition room) {
    counted.put(room.roomId(), room.rev());
  }

  void end(RoomId room) {
    counted.remove(room);
    unread.remove(room);
    told.remove(room);
  }

  /// What the server has counted, up to where each room stood then.
  void listed(List<ChatRoom> rooms) {
    for (ChatRoom room : rooms) {
      Rev last = counted.getOrDefault(room.roomId(), Rev.ZERO);
      if (!last.isAfter(room.rev())) {
        counted.put(room.roomId(), room.rev());
        set(room.roomId(), Unread.of(room));
      }
    }
  }

  /// Something was read elsewhere, edited or deleted.
  void recounted(RoomSignal.Unread count) {
    set(count.roomId(), new Unread(count.unread(), count.mentions()));
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
    Stream<ChatMessage> messages =
        switch (update) {
          case RoomUpdate.Said said -> Stream.of(said.message());
          case RoomUpdate.Reset reset -> reset.page().messages().stream();
          case RoomUpdate.Edited _, RoomUpdate.OfChange _ -> Stream.empty();
        };
    boolean came = messages.filter(this::count).count() > 0;
    return came && told.add(update.roomId());
  }

  /// Whether it is a new one of somebody else.
  private boolean count(ChatMessage message) {
    Rev last = counted.getOrDefault(message.roomId(), Rev.ZERO);
    if (!message.rev().isAfter(last)) {
      return false;
    }
    counted.put(message.roomId(), message.rev());
    boolean others = !message.senderId().equals(self) && !message.isDeleted();
    if (others) {
      unread.merge(message.roomId(), new Unread(1, mentions(message, self) ? 1 : 0), Unread::and);
    }
    return others;
  }

  /// Whether a message mentions somebody, as far as it tells by itself.
  static boolean mentions(ChatMessage message, AccountId who) {
    List<Mention> all = Optional.ofNullable(message.mentions()).orElse(List.of());
    return all.contains(Mention.of(who)) || all.contains(Mention.ALL);
  }

  /// The room is open and what came to it is seen.
  void seen(RoomId room) {
    unread.remove(room);
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
