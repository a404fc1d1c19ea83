package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Opens what the queue brings, each number once and in their order. All that it changes, the
/// position too, is in the transaction that it is given: an envelope of which the transaction was
/// lost comes again and is opened as if it had never come.
final class Opening {
  private static final String POSITION = "position";
  private static final String REGISTRATION = "registration";
  private static final String ROOM_KEY = "m.room_key";

  private final Pins pins;
  private final OlmSessions sessions;
  private final ReceivedKeys keys;
  private final Repairs repairs;
  private final Lines lines;
  private final Inbox inbox = new Inbox();
  private final Rejects rejects = new Rejects();

  Opening(Pins pins, OlmSessions sessions, ReceivedKeys keys, Repairs repairs, Lines lines) {
    this.pins = pins;
    this.sessions = sessions;
    this.keys = keys;
    this.repairs = repairs;
    this.lines = lines;
  }

  Optional<Position> position(Changes changes) {
    return changes.get(POSITION).map(json -> SealedJson.kept(json, Position.class));
  }

  /// The server lists this device under a registration. Each has a queue of its own, which begins
  /// at 1: a position in that of another one would pass over what waits.
  void registered(Changes changes, RegistrationId registration) {
    Optional<RegistrationId> before =
        changes.get(REGISTRATION).map(json -> SealedJson.kept(json, RegistrationId.class));
    if (before.filter(registration::equals).isEmpty()) {
      changes.put(REGISTRATION, SealedJson.keep(registration));
      if (before.isPresent()) {
        changes.remove(POSITION);
        rejects.forget(changes);
      }
    }
  }

  /// The queue goes on with this number, as the server says when it opens it.
  void goOn(Changes changes, Epoch epoch, QueueSeq first, boolean reset) {
    Position next = new Position(epoch, new QueueSeq(first.value() - 1));
    Optional<Position> before = position(changes);
    boolean lost =
        before.isPresent()
            && (reset
                || !before.get().epoch().equals(epoch)
                || next.queueSeq().isAfter(before.get().queueSeq()));
    if (before.isEmpty() || lost) {
      changes.put(POSITION, SealedJson.keep(next));
    }
    if (lost) {
      rejects.forget(changes);
      repairs.beginAnew(changes);
    }
  }

  Opened open(Changes changes, Received received) {
    return next(changes, received, envelope -> opened(changes, envelope));
  }

  /// Takes one as if it could not be decrypted.
  Opened drop(Changes changes, Received received) {
    return next(changes, received, envelope -> dropped(changes, envelope, Doubt.UNDECRYPTABLE));
  }

  private Opened next(
      Changes changes, Received received, Function<Received.Envelope, Opened> opening) {
    Position position = position(changes).orElseThrow();
    QueueSeq seq = received.queueSeq();
    boolean sameEpoch = received.epoch().equals(position.epoch());
    if (sameEpoch && !seq.isAfter(position.queueSeq())) {
      return new Opened.Past(seq);
    }
    if (!sameEpoch || !seq.equals(position.queueSeq().next())) {
      return new Opened.Ahead(seq, position);
    }
    changes.put(POSITION, SealedJson.keep(new Position(position.epoch(), seq)));
    Opened opened =
        switch (received) {
          case Received.Gone _ -> new Opened.Taken(seq);
          case Received.Envelope envelope -> opening.apply(envelope);
        };
    if (opened instanceof Opened.Dropped dropped && dropped.isToBeRejected()) {
      rejects.add(changes, seq);
    }
    return opened;
  }

  Inbox inbox() {
    return inbox;
  }

  Rejects rejects() {
    return rejects;
  }

  private Opened opened(Changes changes, Received.Envelope envelope) {
    Opened body = new Opened.Taken(envelope.queueSeq());
    Opaque letter = envelope.body();
    if (letter != null) {
      try {
        body = letter(changes, envelope, letter);
      } catch (Untrusted e) {
        body = dropped(changes, envelope, e.doubt());
      }
    }
    Opaque payload = envelope.payload();
    if (payload == null) {
      return body;
    }
    try {
      return payload(changes, envelope, payload);
    } catch (Untrusted e) {
      // Without its key nothing can be opened: what was wrong with that says more.
      return e.doubt() == Doubt.UNDECRYPTABLE && body instanceof Opened.Dropped
          ? body
          : dropped(changes, envelope, e.doubt());
    }
  }

  private Opened letter(Changes changes, Received.Envelope envelope, Opaque body) {
    OlmSessions.Letter letter = sessions.decrypt(changes, envelope.senderId(), body);
    DeviceIdentity sender = sender(changes, envelope, letter);
    switch (letter.type()) {
      case ROOM_KEY ->
          keys.keep(changes, envelope.roomId(), sender, letter.content(), envelope.ts());
      case OlmNames.DUMMY -> repairs.lost(changes, sender.account(), sender.device());
      default -> {
        Doubt doubt = pins.doubt(changes, sender).orElse(null);
        return noted(changes, envelope, letter.type(), letter.content(), doubt);
      }
    }
    return new Opened.Taken(envelope.queueSeq());
  }

  /// The device that wrote a letter: it has the key by which the letter was opened, and says
  /// itself that it is the one that the server names.
  private DeviceIdentity sender(
      Changes changes, Received.Envelope envelope, OlmSessions.Letter letter) {
    ObjectNode own = SealedJson.object(letter.whole(), "sender_device_keys");
    DeviceIdentity sender = identity(envelope, own);
    String signingKey = SealedJson.text(SealedJson.object(letter.whole(), "keys"), "ed25519");
    if (!sender.curve25519().equals(letter.senderKey()) || !sender.ed25519().equals(signingKey)) {
      throw new Untrusted(Doubt.OTHER_SENDER);
    }
    pins.meet(changes, sender);
    return sender;
  }

  private static DeviceIdentity identity(Received.Envelope envelope, ObjectNode own) {
    try {
      return DeviceIdentity.read(
          envelope.senderId(), envelope.senderDeviceId(), SealedJson.write(own));
    } catch (Untrusted e) {
      throw new Untrusted(e.doubt() == Doubt.OTHER_OWNER ? Doubt.OTHER_SENDER : e.doubt());
    }
  }

  private Opened payload(Changes changes, Received.Envelope envelope, Opaque payload) {
    RoomId room = envelope.roomId();
    if (room == null) {
      throw new Untrusted(Doubt.OTHER_ROOM);
    }
    ReceivedKeys.Text text =
        keys.decrypt(changes, room, envelope.senderId(), envelope.senderDeviceId(), payload);
    if (text.doubt() == Doubt.REPLAYED) {
      throw new Untrusted(Doubt.REPLAYED);
    }
    Doubt doubt =
        text.doubt() == null ? pins.doubt(changes, text.sender()).orElse(null) : text.doubt();
    String type = SealedJson.text(text.event(), "type");
    ObjectNode content = SealedJson.object(text.event(), "content");
    Seq seq = envelope.seq();
    if (!type.equals(Content.LINE) || seq == null) {
      return noted(changes, envelope, type, content, doubt);
    }
    SealedLine line = line(envelope, room, seq, content, doubt);
    if (lines.has(changes, room, line.senderId(), line.clientId())) {
      throw new Untrusted(Doubt.REPLAYED);
    }
    lines.keep(changes, line, text.sender());
    return doubt == null
        ? new Opened.Shown(envelope.queueSeq(), line)
        : new Opened.Held(envelope.queueSeq(), line, doubt);
  }

  private static SealedLine line(
      Received.Envelope envelope, RoomId room, Seq seq, ObjectNode content, @Nullable Doubt doubt) {
    SealedLine line =
        new SealedLine(
            room,
            seq,
            envelope.senderId(),
            envelope.senderDeviceId(),
            new ClientId(SealedJson.text(content, "client_id")),
            envelope.ts(),
            SealedJson.text(content, "text"),
            Content.lifetime(content, envelope),
            null,
            doubt);
    // Nobody will ever see it.
    return doubt == Doubt.REORDERED ? line.begun(Instant.ofEpochMilli(line.ts())) : line;
  }

  private Opened noted(
      Changes changes,
      Received.Envelope envelope,
      String type,
      ObjectNode content,
      @Nullable Doubt doubt) {
    Note note =
        new Note(
            envelope.queueSeq(),
            envelope.roomId(),
            envelope.senderId(),
            envelope.senderDeviceId(),
            type,
            content,
            envelope.ts(),
            doubt);
    inbox.put(changes, note);
    return new Opened.Noted(envelope.queueSeq(), note);
  }

  private Opened dropped(Changes changes, Received.Envelope envelope, Doubt doubt) {
    if (doubt == Doubt.UNDECRYPTABLE) {
      repairs.broken(changes, envelope.senderId(), envelope.senderDeviceId());
    }
    return new Opened.Dropped(
        envelope.queueSeq(), envelope.senderId(), envelope.senderDeviceId(), doubt);
  }
}
