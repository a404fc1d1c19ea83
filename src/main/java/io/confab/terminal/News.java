package io.confab.terminal;

import io.confab.client.ChatMessage;
import io.confab.client.RoomPosition;
import io.confab.client.RoomUpdate;
import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How many messages of others came to rooms that are not open.
final class News {
  private final AccountId self;
  private final Map<RoomId, Rev> counted = new HashMap<>();
  private final Map<RoomId, Integer> unseen = new LinkedHashMap<>();

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
    unseen.remove(room);
  }

  /// Whether these are the first news of this room.
  boolean add(RoomUpdate update) {
    Stream<ChatMessage> messages =
        switch (update) {
          case RoomUpdate.Said said -> Stream.of(said.message());
          case RoomUpdate.Reset reset -> reset.page().messages().stream();
          case RoomUpdate.Edited _, RoomUpdate.OfChange _ -> Stream.empty();
        };
    boolean none = !unseen.containsKey(update.roomId());
    messages.forEach(this::count);
    return none && unseen.containsKey(update.roomId());
  }

  private void count(ChatMessage message) {
    Rev last = counted.getOrDefault(message.roomId(), Rev.ZERO);
    if (message.rev().isAfter(last)) {
      counted.put(message.roomId(), message.rev());
      if (!message.senderId().equals(self)) {
        unseen.merge(message.roomId(), 1, Integer::sum);
      }
    }
  }

  /// The room is open and what came to it is seen.
  void seen(RoomId room) {
    unseen.remove(room);
  }

  /// The rooms with their numbers, people first.
  String text(Function<RoomId, String> title) {
    return unseen.entrySet().stream()
        .map(room -> title.apply(room.getKey()) + " " + room.getValue())
        .sorted((a, b) -> Boolean.compare(b.startsWith("@"), a.startsWith("@")))
        .collect(Collectors.joining(" · "));
  }
}
