package io.confab.client;

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
        .map(rooms -> rooms.stream().map(ChatRoom::position).toList())
        .onSuccess(positions -> loop.give((rules, now) -> rules.roomsListed(positions, now)))
        .onFailure(_ -> loop.give((rules, now) -> rules.listFailed(now)));
  }
}
