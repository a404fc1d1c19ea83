package io.confab.client;

import io.confab.protocol.RoomId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Reads over HTTP what the rules ask for, and gives them the answers.
final class RoomReads {
  private final ConfabApi api;
  private final RulesLoop loop;

  RoomReads(ConfabApi api, RulesLoop loop) {
    this.api = api;
    this.loop = loop;
  }

  void history(Action.ReadHistory read) {
    api.history(read.room(), HistoryQuery.newest())
        .onSuccess(page -> loop.give((rules, now) -> rules.historyRead(read, page, now)))
        .onFailure(failure -> failed(read, failure));
  }

  void events(Action.ReadEvents read) {
    api.events(read.room(), read.epoch(), read.after())
        .onSuccess(page -> loop.give((rules, now) -> rules.eventsRead(read, page, now)))
        .onFailure(failure -> failed(read, failure));
  }

  private void failed(Action.Read read, Throwable failure) {
    loop.give((rules, now) -> rules.readFailed(read, ApiException.of(failure), now));
  }

  void rooms() {
    api.rooms()
        .onSuccess(all -> loop.give((rules, now) -> listed(rules, all, now)))
        .onFailure(_ -> loop.give((rules, now) -> rules.listFailed(now)));
  }

  private static void listed(SessionRules rules, List<ChatRoom> rooms, long now) {
    Set<RoomId> receipts =
        rooms.stream()
            .filter(room -> Boolean.TRUE.equals(room.receipts()))
            .map(ChatRoom::roomId)
            .collect(Collectors.toSet());
    rules.roomsListed(rooms.stream().map(ChatRoom::position).toList(), receipts, now);
  }
}
