package io.confab.client.sealedroom;

import io.confab.client.sealed.Outgoing;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import io.confab.time.Backoff;
import io.vertx.core.Promise;
import java.util.UUID;

/// A line on its way to a sealed room, with the same id until it is stored or fails.
record SealedSend(
    RoomId room, ClientId clientId, String text, SendRules rules, Promise<SealedLine> line) {

  static SealedSend of(RoomId room, String text, Backoff backoff) {
    ClientId clientId = new ClientId(UUID.randomUUID().toString());
    return new SealedSend(room, clientId, text, new SendRules(backoff, false), Promise.promise());
  }

  /// One that was on its way when the program ended.
  static SealedSend of(Outgoing kept, Backoff backoff) {
    return new SealedSend(
        kept.roomId(),
        kept.clientId(),
        kept.text(),
        new SendRules(backoff, true),
        Promise.promise());
  }
}
