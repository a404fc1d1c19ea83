package io.confab.client;

import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The calls to enter rooms that have no answer yet. For the thread of the rules.
final class Entrances {
  private final Map<RoomId, Promise<RoomSignal.Standing>> asked = new HashMap<>();

  /// Calls for the same room have one answer.
  Future<RoomSignal.Standing> await(RoomId room) {
    return asked.computeIfAbsent(room, _ -> Promise.promise()).future();
  }

  void entered(RoomSignal.Standing standing) {
    Optional.ofNullable(asked.remove(standing.roomId())).ifPresent(call -> call.complete(standing));
  }

  void refused(RoomId room, ApiException refusal) {
    Optional.ofNullable(asked.remove(room)).ifPresent(call -> call.fail(refusal));
  }
}
