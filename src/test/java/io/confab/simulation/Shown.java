package io.confab.simulation;

import io.confab.client.ChatMessage;
import io.confab.client.RoomPosition;
import io.confab.client.RoomUpdate;
import io.confab.feed.Event;
import io.confab.protocol.AccountId;
import io.confab.protocol.Message;
import io.confab.protocol.RoomId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a program that believes its client shows: the messages of each room as they stand.
final class Shown {
  private final String client;
  private final AccountId account;
  private final Map<RoomId, TreeMap<Long, String>> rooms = new HashMap<>();

  Shown(String client, AccountId account) {
    this.client = client;
    this.account = account;
  }

  void update(RoomUpdate update) {
    TreeMap<Long, String> room = rooms.computeIfAbsent(update.roomId(), _ -> new TreeMap<>());
    switch (update) {
      case RoomUpdate.Said(ChatMessage message) -> put(room, message);
      case RoomUpdate.Edited(ChatMessage message) ->
          room.computeIfPresent(message.seq().value(), (_, _) -> body(message.body()));
      case RoomUpdate.Deleted deleted -> room.computeIfPresent(deleted.seq().value(), (_, _) -> "");
      case RoomUpdate.Reset reset -> {
        room.clear();
        reset.page().messages().forEach(message -> put(room, message));
      }
      case RoomUpdate.MemberJoined _,
          RoomUpdate.MemberLeft _,
          RoomUpdate.MembersChanged _,
          RoomUpdate.Archived _,
          RoomUpdate.Sealed _,
          RoomUpdate.RoomSealed _,
          RoomUpdate.ExpirySet _,
          RoomUpdate.Other _ -> {}
    }
  }

  private static void put(Map<Long, String> room, ChatMessage message) {
    room.put(message.seq().value(), body(message.body()));
  }

  private static String body(@org.jspecify.annotations.Nullable String body) {
    return body == null ? "" : body;
  }

  void removed(RoomId room) {
    rooms.remove(room);
  }

  /// The program goes on with what it had of the rooms with a position.
  void restarted(List<RoomPosition> positions) {
    Set<RoomId> kept = positions.stream().map(RoomPosition::roomId).collect(Collectors.toSet());
    rooms.keySet().retainAll(kept);
  }

  /// How what is shown differs from what is there to be seen, from the first shown message on.
  List<String> differences(ModelRoom room) {
    TreeMap<Long, String> shown = rooms.getOrDefault(room.id, new TreeMap<>());
    TreeMap<Long, String> there = new TreeMap<>();
    long first = shown.isEmpty() ? Long.MAX_VALUE : shown.firstKey();
    for (Message message : room.messages()) {
      if (message.seq().value() >= first
          && room.visibility(account).shows(Event.of(message, room.epoch))) {
        there.put(message.seq().value(), body(message.body()));
      }
    }
    return shown.equals(there)
        ? List.of()
        : List.of(client + " shows of room " + room.id + " " + shown + ", there is " + there);
  }
}
