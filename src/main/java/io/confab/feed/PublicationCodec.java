package io.confab.feed;

import static io.confab.feed.BinaryFields.id;
import static io.confab.feed.BinaryFields.join;
import static io.confab.feed.BinaryFields.readText;
import static io.confab.feed.BinaryFields.text;

import io.confab.feed.QueuedSend.Place;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.WireName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The binary form in which nodes tell each other of events and signals through Redis, sealed so
/// that only nodes of this database can speak. For any thread.
///
/// ```
/// version 1 │ seal 16 │ origin 8 │ kind 1 │ of an event: epoch 8, rev 8, subject, frame
///  of a signal of the room: account 8, kind of state, its milliseconds 8 if it has one,
///    2 and 8 for each account that does not get it, frame
///  of a send to queues: epoch 8, number 8, places 4, of each: registration 8, seq 8, whether there
///    is a body 1, length 4 and text of one that is carried; then the tail of its frames
///  of a signal of an account: texts and ids, in order
///  subject: [seq 8, version 8 | seq 8 | account 8, reason]
/// ```
///
/// The origin is the process that published, so that it passes over what comes back to it without
/// opening it; it is 0 where that process wants to hear it too. Texts have a length of two bytes
/// before them. The room or account is not in it: it is that of the channel, and the seal covers
/// it, so that a publication is worth nothing on another channel. What is forged, cut off, foreign
/// or of an unknown version decodes to empty; what is sealed and of an unknown kind, as nodes of a
/// newer version may send it, to [RoomPublication.Unknown].
public final class PublicationCodec {
  private static final byte VERSION = 5;
  private static final int HEAD = 1 + Seal.LENGTH;
  private static final long EVERYBODY = 0;
  private static final byte[] NOTHING = {};

  /// Origin, kind, epoch, number and how many places.
  private static final int SEND = 3 * Long.BYTES + 1 + Integer.BYTES;

  private static final byte TRUE = 1;
  private static final byte OF_ROOM = 1;
  private static final byte DEPARTURE = 2;
  private static final byte OF_MESSAGE = 3;
  private static final byte OF_CHANGE = 4;
  private static final byte SIGNAL = 5;
  private static final byte OF_SEALED = 6;
  private static final byte QUEUED = 7;

  private static final byte NO_BODY = 0;
  private static final byte BODY = 1;
  private static final byte CUT = 2;

  /// What bodies of a send may take together to be carried.
  static final int MOST_BODY_BYTES = 32_000;

  /// What a place takes beside its body.
  private static final int PLACE = 2 * Long.BYTES + 1 + Integer.BYTES;

  private final Seal seal;
  private final long origin = new SecureRandom().nextLong();

  /// @param publishKey that of the database, which all its nodes share
  public PublicationCodec(byte[] publishKey) {
    this.seal = new Seal(publishKey);
  }

  /// Whether it came from here, and not for here.
  boolean isOwn(byte[] publication) {
    return publication.length > HEAD + Long.BYTES
        && publication[0] == VERSION
        && ByteBuffer.wrap(publication).getLong(HEAD) == origin;
  }

  public SealedEvent seal(Event event) {
    byte[] subject =
        switch (event.subject()) {
          case Event.OfRoom _ -> new byte[0];
          case Event.OfMessage(Seq seq, Rev version) -> join(id(seq.value()), id(version.value()));
          case Event.OfChange(Seq seq, Rev version, boolean recounts) ->
              join(id(seq.value()), id(version.value()), new byte[] {recounts ? TRUE : 0});
          case Event.OfSealed(Seq seq) -> id(seq.value());
          case Event.Departure(AccountId account, LeaveReason reason) ->
              join(id(account.value()), text(reason.wire()));
        };
    ByteBuffer out = ByteBuffer.allocate(HEAD + 8 + 1 + 16 + subject.length + event.frame().length);
    out.position(HEAD).putLong(origin).put(kind(event.subject()));
    out.putLong(event.epoch().value()).putLong(event.rev().value());
    out.put(subject).put(event.frame());
    return new SealedEvent(event, sealed(Seal.Subject.ROOM, event.room().value(), out.array()));
  }

  private static byte kind(Event.Subject subject) {
    return switch (subject) {
      case Event.OfRoom _ -> OF_ROOM;
      case Event.Departure _ -> DEPARTURE;
      case Event.OfMessage _ -> OF_MESSAGE;
      case Event.OfChange _ -> OF_CHANGE;
      case Event.OfSealed _ -> OF_SEALED;
    };
  }

  public byte[] encode(RoomSignal signal) {
    byte[] content =
        join(
            new byte[HEAD],
            id(EVERYBODY),
            new byte[] {SIGNAL},
            id(signal.account().value()),
            state(signal.state()),
            ids(signal.hiddenFrom()),
            signal.frame());
    return sealed(Seal.Subject.ROOM, signal.room().value(), content);
  }

  public byte[] encode(QueuedSend send) {
    List<byte[]> bodies =
        send.places().stream()
            .map(p -> p.body() == null ? NOTHING : p.body().getBytes(StandardCharsets.UTF_8))
            .toList();
    int carried = bodies.stream().mapToInt(body -> body.length).sum();
    boolean cuts = carried > MOST_BODY_BYTES;
    ByteBuffer out =
        ByteBuffer.allocate(
            HEAD + SEND + PLACE * bodies.size() + (cuts ? 0 : carried) + send.tail().length);
    out.position(HEAD).putLong(origin).put(QUEUED);
    out.putLong(send.epoch().value()).putLong(send.number()).putInt(bodies.size());
    for (int i = 0; i < bodies.size(); i++) {
      Place place = send.places().get(i);
      out.putLong(place.registration().value()).putLong(place.seq().value());
      if (place.body() == null) {
        out.put(place.cut() ? CUT : NO_BODY);
      } else if (cuts) {
        out.put(CUT);
      } else {
        out.put(BODY).putInt(bodies.get(i).length).put(bodies.get(i));
      }
    }
    out.put(send.tail());
    byte[] publication = Arrays.copyOf(out.array(), out.position());
    return sealed(Seal.Subject.ROOM, send.onRoom().value(), publication);
  }

  private static byte[] state(RoomSignal.@Nullable State state) {
    return state == null ? text("") : join(text(state.kind()), id(state.lasts().toMillis()));
  }

  private static byte[] ids(Set<AccountId> accounts) {
    ByteBuffer out = ByteBuffer.allocate(Short.BYTES + accounts.size() * Long.BYTES);
    out.putShort((short) accounts.size());
    accounts.forEach(account -> out.putLong(account.value()));
    return out.array();
  }

  public byte[] encode(AccountSignal signal) {
    byte[] content = join(new byte[HEAD], id(origin), AccountSignalCodec.write(signal));
    return sealed(Seal.Subject.ACCOUNT, signal.account().value(), content);
  }

  /// What was published on the room's channel.
  Optional<RoomPublication> decode(RoomId room, byte[] publication) {
    return open(Seal.Subject.ROOM, room.value(), publication).flatMap(in -> content(room, in));
  }

  private static Optional<? extends RoomPublication> content(RoomId room, ByteBuffer in) {
    byte kind = in.get();
    return switch (kind) {
      case OF_ROOM, DEPARTURE, OF_MESSAGE, OF_CHANGE, OF_SEALED -> event(kind, room, in);
      case SIGNAL -> Optional.of(signal(room, in));
      case QUEUED -> Optional.of(queued(room, in));
      default -> Optional.of(new RoomPublication.Unknown());
    };
  }

  /// The event that was published on the room's channel; empty when it was something else.
  public Optional<Event> decodeEvent(RoomId room, byte[] publication) {
    return decode(room, publication).filter(Event.class::isInstance).map(Event.class::cast);
  }

  /// What was published on the account's channel.
  public Optional<AccountSignal> decodeSignal(AccountId account, byte[] publication) {
    return open(Seal.Subject.ACCOUNT, account.value(), publication)
        .flatMap(in -> AccountSignalCodec.read(account, in));
  }

  private byte[] sealed(Seal.Subject subject, long id, byte[] publication) {
    publication[0] = VERSION;
    byte[] mark = seal.of(subject, id, VERSION, publication, HEAD);
    System.arraycopy(mark, 0, publication, 1, mark.length);
    return publication;
  }

  private Optional<ByteBuffer> open(Seal.Subject subject, long id, byte[] publication) {
    if (publication.length <= HEAD + Long.BYTES || publication[0] != VERSION) {
      return Optional.empty();
    }
    byte[] claimed = Arrays.copyOfRange(publication, 1, HEAD);
    return seal.matches(claimed, seal.of(subject, id, VERSION, publication, HEAD))
        ? Optional.of(ByteBuffer.wrap(publication).position(HEAD + Long.BYTES))
        : Optional.empty();
  }

  private static RoomSignal signal(RoomId room, ByteBuffer in) {
    AccountId account = new AccountId(in.getLong());
    RoomSignal.State state = readState(in);
    return new RoomSignal(room, account, state, readIds(in), rest(in));
  }

  private static QueuedSend queued(RoomId room, ByteBuffer in) {
    Epoch epoch = new Epoch(in.getLong());
    long number = in.getLong();
    int size = in.getInt();
    List<Place> places = new ArrayList<>(Math.min(size, in.remaining()));
    for (int i = 0; i < size; i++) {
      RegistrationId registration = new RegistrationId(in.getLong());
      QueueSeq seq = new QueueSeq(in.getLong());
      byte kind = in.get();
      String body = kind == BODY ? readBody(in) : null;
      places.add(new Place(registration, seq, false, kind == CUT, body));
    }
    return new QueuedSend(room, null, epoch, number, rest(in), places);
  }

  private static String readBody(ByteBuffer in) {
    byte[] bytes = new byte[in.getInt()];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static RoomSignal.@Nullable State readState(ByteBuffer in) {
    String kind = readText(in);
    return kind.isEmpty() ? null : new RoomSignal.State(kind, Duration.ofMillis(in.getLong()));
  }

  private static Set<AccountId> readIds(ByteBuffer in) {
    Set<AccountId> accounts = new HashSet<>();
    for (int left = Short.toUnsignedInt(in.getShort()); left > 0; left--) {
      accounts.add(new AccountId(in.getLong()));
    }
    return accounts;
  }

  private static Optional<Event> event(byte kind, RoomId room, ByteBuffer in) {
    Epoch epoch = new Epoch(in.getLong());
    Rev rev = new Rev(in.getLong());
    return subject(kind, in).map(subject -> new Event(room, epoch, rev, subject, rest(in)));
  }

  private static Optional<Event.Subject> subject(byte kind, ByteBuffer in) {
    return switch (kind) {
      case OF_MESSAGE ->
          Optional.of(new Event.OfMessage(new Seq(in.getLong()), new Rev(in.getLong())));
      case OF_CHANGE ->
          Optional.of(
              new Event.OfChange(new Seq(in.getLong()), new Rev(in.getLong()), in.get() == TRUE));
      case OF_SEALED -> Optional.of(new Event.OfSealed(new Seq(in.getLong())));
      case DEPARTURE -> {
        AccountId account = new AccountId(in.getLong());
        yield WireName.find(LeaveReason.class, readText(in))
            .map(reason -> new Event.Departure(account, reason));
      }
      default -> Optional.of(new Event.OfRoom());
    };
  }

  private static byte[] rest(ByteBuffer in) {
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return bytes;
  }
}
