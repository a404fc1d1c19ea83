package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.SessionId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// The binary form in which nodes tell each other of events and account news through Redis, sealed
/// so that only nodes of this database can speak. For any thread.
///
/// ```
/// version 1 │ seal 16 │ kind 1 │ of an event: epoch 8, rev 8, subject, frame
///                              │ of news:     texts and ids of the record, in its order
///                              │ subject:     [seq 8, version 8 | account 8, reason]
/// ```
///
/// Texts have a length of two bytes before them. The room or account is not in it: it is that of
/// the channel, and the seal covers it, so that a publication is worth nothing on another channel.
/// What is forged, cut off, foreign or of an unknown version decodes to empty.
public final class PublicationCodec {
  private static final byte VERSION = 2;
  private static final int HEAD = 1 + Seal.LENGTH;

  private static final byte OF_ROOM = 1;
  private static final byte DEPARTURE = 2;
  private static final byte OF_MESSAGE = 3;
  private static final byte OF_CHANGE = 4;
  private static final byte ADDED = 16;
  private static final byte REMOVED = 17;
  private static final byte REVOKED = 18;
  private static final byte DISPLACED = 19;

  private final Seal seal;

  /// @param publishKey that of the database, which all its nodes share
  public PublicationCodec(byte[] publishKey) {
    this.seal = new Seal(publishKey);
  }

  public byte[] encode(Event event) {
    byte[] subject =
        switch (event.subject()) {
          case Event.OfRoom _ -> new byte[0];
          case Event.AboutMessage about ->
              join(id(about.seq().value()), id(about.version().value()));
          case Event.Departure(AccountId account, LeaveReason reason) ->
              join(id(account.value()), text(reason.wire()));
        };
    ByteBuffer out = ByteBuffer.allocate(HEAD + 1 + 16 + subject.length + event.frame().length);
    out.position(HEAD).put(kind(event.subject()));
    out.putLong(event.epoch().value()).putLong(event.rev().value());
    out.put(subject).put(event.frame());
    return sealed(Seal.Subject.ROOM, event.room().value(), out.array());
  }

  private static byte kind(Event.Subject subject) {
    return switch (subject) {
      case Event.OfRoom _ -> OF_ROOM;
      case Event.Departure _ -> DEPARTURE;
      case Event.OfMessage _ -> OF_MESSAGE;
      case Event.OfChange _ -> OF_CHANGE;
    };
  }

  public byte[] encode(AccountNews news) {
    byte[] content =
        switch (news) {
          case AccountNews.Added(AccountId _, RoomId room) -> content(ADDED, id(room.value()));
          case AccountNews.Removed(AccountId _, RoomId room, LeaveReason reason) ->
              content(REMOVED, id(room.value()), text(reason.wire()));
          case AccountNews.Revoked(AccountId _, DeviceId device) ->
              content(REVOKED, text(device.value()));
          case AccountNews.Displaced(AccountId _, DeviceId device, SessionId session) ->
              content(DISPLACED, text(device.value()), text(session.value()));
        };
    return sealed(Seal.Subject.ACCOUNT, news.account().value(), content);
  }

  /// What was published on the room's channel.
  public Optional<Event> decodeEvent(RoomId room, byte[] publication) {
    return open(Seal.Subject.ROOM, room.value(), publication).flatMap(in -> event(room, in));
  }

  /// What was published on the account's channel.
  public Optional<AccountNews> decodeNews(AccountId account, byte[] publication) {
    return open(Seal.Subject.ACCOUNT, account.value(), publication)
        .flatMap(in -> news(account, in));
  }

  private byte[] sealed(Seal.Subject subject, long id, byte[] publication) {
    publication[0] = VERSION;
    byte[] mark = seal.of(subject, id, VERSION, publication, HEAD);
    System.arraycopy(mark, 0, publication, 1, mark.length);
    return publication;
  }

  private Optional<ByteBuffer> open(Seal.Subject subject, long id, byte[] publication) {
    if (publication.length <= HEAD || publication[0] != VERSION) {
      return Optional.empty();
    }
    byte[] claimed = Arrays.copyOfRange(publication, 1, HEAD);
    return seal.matches(claimed, seal.of(subject, id, VERSION, publication, HEAD))
        ? Optional.of(ByteBuffer.wrap(publication).position(HEAD))
        : Optional.empty();
  }

  private static Optional<Event> event(RoomId room, ByteBuffer in) {
    byte kind = in.get();
    if (kind < OF_ROOM || kind > OF_CHANGE) {
      return Optional.empty();
    }
    Epoch epoch = new Epoch(in.getLong());
    Rev rev = new Rev(in.getLong());
    return subject(kind, in).map(subject -> new Event(room, epoch, rev, subject, rest(in)));
  }

  private static Optional<Event.Subject> subject(byte kind, ByteBuffer in) {
    return switch (kind) {
      case OF_MESSAGE ->
          Optional.of(new Event.OfMessage(new Seq(in.getLong()), new Rev(in.getLong())));
      case OF_CHANGE ->
          Optional.of(new Event.OfChange(new Seq(in.getLong()), new Rev(in.getLong())));
      case DEPARTURE -> {
        AccountId account = new AccountId(in.getLong());
        yield reason(readText(in)).map(reason -> new Event.Departure(account, reason));
      }
      default -> Optional.of(new Event.OfRoom());
    };
  }

  private static Optional<AccountNews> news(AccountId account, ByteBuffer in) {
    return switch (in.get()) {
      case ADDED -> Optional.of(new AccountNews.Added(account, new RoomId(in.getLong())));
      case REMOVED -> {
        RoomId room = new RoomId(in.getLong());
        yield reason(readText(in)).map(why -> new AccountNews.Removed(account, room, why));
      }
      case REVOKED -> Optional.of(new AccountNews.Revoked(account, new DeviceId(readText(in))));
      case DISPLACED -> {
        DeviceId device = new DeviceId(readText(in));
        SessionId session = new SessionId(readText(in));
        yield Optional.of(new AccountNews.Displaced(account, device, session));
      }
      default -> Optional.empty();
    };
  }

  private static Optional<LeaveReason> reason(String wire) {
    return Arrays.stream(LeaveReason.values()).filter(r -> r.wire().equals(wire)).findFirst();
  }

  private static byte[] content(byte kind, byte[]... fields) {
    byte[] content = join(fields);
    return ByteBuffer.allocate(HEAD + 1 + content.length)
        .position(HEAD)
        .put(kind)
        .put(content)
        .array();
  }

  private static byte[] join(byte[]... fields) {
    ByteBuffer out = ByteBuffer.allocate(Arrays.stream(fields).mapToInt(f -> f.length).sum());
    for (byte[] field : fields) {
      out.put(field);
    }
    return out.array();
  }

  private static byte[] id(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static byte[] text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Short.BYTES + bytes.length)
        .putShort((short) bytes.length)
        .put(bytes)
        .array();
  }

  private static String readText(ByteBuffer in) {
    byte[] bytes = new byte[Short.toUnsignedInt(in.getShort())];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] rest(ByteBuffer in) {
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return bytes;
  }
}
