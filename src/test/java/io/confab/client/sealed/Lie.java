package io.confab.client.sealed;

import io.confab.protocol.Epoch;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// What a server tells of an envelope that it changed.
final class Lie {
  private final Received.Envelope truth;
  private QueueSeq queueSeq;
  private Epoch epoch;
  private @Nullable RoomId roomId;
  private @Nullable Seq seq;
  private RoomDevice sender;
  private @Nullable Opaque body;
  private @Nullable Opaque payload;
  private @Nullable Long expiresAt;

  private Lie(Received.Envelope truth) {
    this.truth = truth;
    queueSeq = truth.queueSeq();
    epoch = truth.epoch();
    roomId = truth.roomId();
    seq = truth.seq();
    sender = new RoomDevice(truth.senderId(), truth.senderDeviceId(), new RegistrationId(1));
    body = truth.body();
    payload = truth.payload();
    expiresAt = truth.expiresAt();
  }

  static Lie about(Received.Envelope truth) {
    return new Lie(truth);
  }

  Lie number(long number) {
    queueSeq = new QueueSeq(number);
    return this;
  }

  Lie seq(long number) {
    seq = new Seq(number);
    return this;
  }

  Lie epoch(int number) {
    epoch = new Epoch(number);
    return this;
  }

  Lie room(RoomId room) {
    roomId = room;
    return this;
  }

  Lie from(Talker talker) {
    sender = talker.place;
    return this;
  }

  Lie body(@Nullable String text) {
    body = text == null ? null : new Opaque(text);
    return this;
  }

  Lie payload(String text) {
    payload = new Opaque(text);
    return this;
  }

  Lie over(long millis) {
    expiresAt = millis;
    return this;
  }

  Received.Envelope told() {
    return new Received.Envelope(
        queueSeq,
        epoch,
        roomId,
        seq,
        sender.accountId(),
        sender.deviceId(),
        truth.clientId(),
        truth.ts(),
        body,
        payload,
        expiresAt);
  }
}
