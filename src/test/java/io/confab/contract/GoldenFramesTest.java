package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientFrame;
import io.confab.protocol.ClientId;
import io.confab.protocol.CloseCode;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Envelope;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.EventFrames;
import io.confab.protocol.FailureReason;
import io.confab.protocol.FullDevice;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.Json;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Mention;
import io.confab.protocol.Message;
import io.confab.protocol.MessageType;
import io.confab.protocol.NodeId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.PresenceView;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomType;
import io.confab.protocol.SeatLoss;
import io.confab.protocol.Seq;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.AccountChanged;
import io.confab.protocol.ServerFrame.DevicesChanged;
import io.confab.protocol.ServerFrame.EnvelopeAck;
import io.confab.protocol.ServerFrame.ErrorFrame;
import io.confab.protocol.ServerFrame.Goodbye;
import io.confab.protocol.ServerFrame.InvitationEnded;
import io.confab.protocol.ServerFrame.Invited;
import io.confab.protocol.ServerFrame.KeysLow;
import io.confab.protocol.ServerFrame.Limits;
import io.confab.protocol.ServerFrame.Marker;
import io.confab.protocol.ServerFrame.MessageAck;
import io.confab.protocol.ServerFrame.Ok;
import io.confab.protocol.ServerFrame.Pong;
import io.confab.protocol.ServerFrame.Presence;
import io.confab.protocol.ServerFrame.PresenceCount;
import io.confab.protocol.ServerFrame.PresenceState;
import io.confab.protocol.ServerFrame.QueueEmpty;
import io.confab.protocol.ServerFrame.QueueOpened;
import io.confab.protocol.ServerFrame.Receipt;
import io.confab.protocol.ServerFrame.Received;
import io.confab.protocol.ServerFrame.Resumed;
import io.confab.protocol.ServerFrame.ResumedRoom;
import io.confab.protocol.ServerFrame.RoomAdded;
import io.confab.protocol.ServerFrame.RoomGap;
import io.confab.protocol.ServerFrame.RoomOnline;
import io.confab.protocol.ServerFrame.RoomRemoved;
import io.confab.protocol.ServerFrame.SeatInside;
import io.confab.protocol.ServerFrame.SeatLost;
import io.confab.protocol.ServerFrame.SeatOffer;
import io.confab.protocol.ServerFrame.SeatWaiting;
import io.confab.protocol.ServerFrame.Typing;
import io.confab.protocol.ServerFrame.TypingStop;
import io.confab.protocol.ServerFrame.Undelivered;
import io.confab.protocol.ServerFrame.Unread;
import io.confab.protocol.ServerFrame.Welcome;
import io.confab.protocol.ServerFrame.WelcomeRoom;
import io.confab.protocol.SessionId;
import io.confab.socket.FrameTable;
import io.confab.testing.StoredChange;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Frames, their samples and asyncapi.yaml agree.
@Timeout(120)
class GoldenFramesTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final AccountId ANN = new AccountId(32);
  private static final AccountId BOB = new AccountId(33);
  private static final Epoch EPOCH = new Epoch(1);
  private static final long TIME = 1_700_000_000_123L;

  private static final Message SENT =
      message(null, "Hi \"all\"\n👍", new Seq(2), "News", null, null, null, null);
  private static final Message EDITED =
      message(
          new Rev(12),
          "Hello @bob, @all",
          new Seq(2),
          "News",
          List.of(Mention.ALL, Mention.of(BOB)),
          TIME + 333,
          null,
          null);
  private static final Message DELETED =
      message(new Rev(13), null, null, null, null, null, TIME + 666, BOB);

  private static final FullDevice FULL = new FullDevice(BOB, new DeviceId("d"));

  /// What the server sends, by the name of its sample.
  private static final Map<String, ServerFrame> FRAMES =
      Map.ofEntries(
          Map.entry("welcome", welcome("1", true, room(5))),
          Map.entry("welcome~least", welcome(null, null)),
          Map.entry(
              "resumed",
              new Resumed(
                  "3",
                  List.of(
                      ResumedRoom.at(ROOM, EPOCH, new Rev(5), true),
                      ResumedRoom.lost("whatever")))),
          Map.entry("message.ack", ack("4", "l", true)),
          Map.entry("message.ack~least", ack(null, null, null)),
          Map.entry("envelope.ack", envelopeAck("14", "l", new Seq(3), true, List.of(FULL))),
          Map.entry("envelope.ack~least", envelopeAck(null, null, null, null, null)),
          Map.entry(
              "message.ack~failed",
              new Undelivered(ROOM, BOB, new Seq(3), "failed", FailureReason.EXPIRED)),
          Map.entry(
              "queue.opened",
              new QueueOpened("15", EPOCH, new QueueSeq(7), new QueueSeq(9), true, 50, false)),
          Map.entry(
              "queue.opened~least",
              new QueueOpened(null, EPOCH, new QueueSeq(7), new QueueSeq(6), null, 0, true)),
          Map.entry("queue.empty", new QueueEmpty(new QueueSeq(9))),
          Map.entry("marker~sealed", new Received(ROOM, BOB, new Seq(2), new Seq(3))),
          Map.entry("ok~changed", Ok.changed("5", new Rev(12))),
          Map.entry("ok~renewed", Ok.renewed("2", 900)),
          Map.entry("pong", new Pong("7", TIME)),
          Map.entry(
              "error",
              ErrorFrame.of(
                  "4",
                  new Refusal(ErrorCode.SLOW_MODE, "body", "too soon", Duration.ofMillis(1_500)),
                  new ClientId("c-1"))),
          Map.entry(
              "error~least",
              ErrorFrame.of(null, new Refusal(ErrorCode.NOT_FOUND, "no such room"), null)),
          Map.entry("goodbye", new Goodbye(4000, "going away", true, 1_234)),
          Map.entry("room.gap", new RoomGap(ROOM, EPOCH, new Rev(9))),
          Map.entry(
              "room.added",
              new RoomAdded(
                  new Room(
                      ROOM,
                      RoomType.GROUP,
                      "Team",
                      "All of us",
                      null,
                      Role.MEMBER,
                      HistoryRule.ALL,
                      null,
                      null,
                      null,
                      null,
                      2,
                      true,
                      null,
                      EPOCH,
                      new Seq(3),
                      new Rev(5)))),
          Map.entry(
              "room.added~direct",
              new RoomAdded(
                  new Room(
                      ROOM,
                      RoomType.DIRECT,
                      null,
                      null,
                      BOB,
                      Role.OWNER,
                      HistoryRule.ALL,
                      null,
                      null,
                      null,
                      null,
                      2,
                      true,
                      TIME,
                      EPOCH,
                      new Seq(3),
                      new Rev(5)))),
          Map.entry("room.removed", new RoomRemoved(ROOM, LeaveReason.REMOVED)),
          Map.entry("invitation", new Invited(ROOM, "Tea", BOB)),
          Map.entry("invitation~least", new Invited(ROOM, null, BOB)),
          Map.entry("invitation.ended", new InvitationEnded(ROOM)),
          Map.entry(
              "presence.state",
              new PresenceState(
                  "10",
                  List.of(new PresenceView(BOB, PresenceStatus.AWAY, null, "At lunch")),
                  List.of(new RoomOnline(ROOM, 2)))),
          Map.entry("presence.state~least", new PresenceState(null, List.of(), List.of())),
          Map.entry("presence", new Presence(BOB, PresenceStatus.OFFLINE, TIME, "At lunch")),
          Map.entry("presence~least", new Presence(BOB, PresenceStatus.ONLINE, null, null)),
          Map.entry("presence.count", new PresenceCount(ROOM, 2)),
          Map.entry("typing", new Typing(ROOM, BOB, TIME + 5_000)),
          Map.entry("typing.stop", new TypingStop(ROOM, BOB)),
          Map.entry("message.ack~receipt", new Receipt(ROOM, new Seq(3), "read")),
          Map.entry("marker", new Marker(ROOM, ANN, new Seq(3), new Seq(3), new Seq(2))),
          Map.entry("marker~least", new Marker(ROOM, BOB, null, new Seq(3), null)),
          Map.entry("unread", new Unread(ROOM, 3, 1, 12, new Seq(9))),
          Map.entry("seat.inside", new SeatInside("13", ROOM, 12, 20)),
          Map.entry("seat.inside~least", new SeatInside(null, ROOM, 12, 20)),
          Map.entry("seat.waiting", new SeatWaiting("13", ROOM, 4, 3, 9, 90L, "cGxhY2U")),
          Map.entry("seat.waiting~least", new SeatWaiting(null, ROOM, 4, 3, 9, null, "cGxhY2U")),
          Map.entry("seat.offer", new SeatOffer("13", ROOM, TIME)),
          Map.entry("seat.offer~least", new SeatOffer(null, ROOM, TIME)),
          Map.entry("seat.lost", new SeatLost(ROOM, SeatLoss.EXPIRED)),
          Map.entry("account.changed", new AccountChanged(AccountId.parse("0000000000011"), "Bob")),
          Map.entry("devices.changed", new DevicesChanged(AccountId.parse("0000000000011"), 7)),
          Map.entry("keys.low", new KeysLow(19)));

  private static final List<RoomChange> CHANGES =
      List.of(
          new RoomChange.MessageEdited(EDITED, true),
          new RoomChange.MessageDeleted(new Seq(3), ANN));

  private static final List<StoredChange> STORED =
      List.of(
          StoredChange.joined(BOB),
          StoredChange.left(BOB, LeaveReason.REMOVED),
          StoredChange.members(new Rev(4), 5, 1),
          StoredChange.role(BOB, Role.ADMIN),
          StoredChange.muted(BOB, TIME + 333),
          StoredChange.settings(
              new JsonObject()
                  .put("name", "Tea")
                  .put("description", "")
                  .put("history", "since_join")
                  .put("slow_mode_s", 30)
                  .put("max_members", 0)
                  .put("capacity", 20)
                  .put("read_outside", true)),
          StoredChange.archived());

  private static Message message(
      @Nullable Rev changed,
      @Nullable String body,
      @Nullable Seq replyTo,
      @Nullable String topic,
      @Nullable List<Mention> mentions,
      @Nullable Long edited,
      @Nullable Long deleted,
      @Nullable AccountId by) {
    return new Message(
        ROOM,
        new Seq(3),
        new Rev(9),
        changed,
        ANN,
        new ClientId("c-1"),
        MessageType.TEXT,
        body,
        replyTo,
        topic,
        mentions,
        TIME,
        edited,
        deleted,
        by);
  }

  private static WelcomeRoom room(long rev) {
    return new WelcomeRoom(ROOM, EPOCH, new Seq(3), new Rev(rev), new Seq(3), new Seq(2), true);
  }

  private static Welcome welcome(
      @Nullable String re, @Nullable Boolean more, WelcomeRoom... rooms) {
    return new Welcome(
        re,
        new SessionId("s"),
        ANN,
        new DeviceId("d"),
        new NodeId("n"),
        TIME,
        1,
        new Limits(65_536, 16_384, 256, 1_000),
        List.of(rooms),
        more);
  }

  private static EnvelopeAck envelopeAck(
      @Nullable String re,
      @Nullable String localId,
      @Nullable Seq seq,
      @Nullable Boolean duplicate,
      @Nullable List<FullDevice> full) {
    return new EnvelopeAck(
        re, ROOM.toString(), new ClientId("c-1"), localId, seq, TIME, "sent", duplicate, full);
  }

  private static final Envelope WHOLE =
      new Envelope(
          ROOM,
          new Seq(3),
          ANN,
          new DeviceId("d"),
          new ClientId("c-1"),
          TIME,
          "cGF5bG9hZA",
          TIME + 3_600_000);

  private static final Envelope LOOSE =
      new Envelope(null, null, ANN, new DeviceId("d"), new ClientId("c-2"), TIME, null, null);

  private static byte[] envelope(long seq, Envelope envelope) {
    return EnvelopeFrames.text(
            EnvelopeFrames.head(new QueueSeq(seq), "a2V5"), EnvelopeFrames.tail(envelope, EPOCH))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static MessageAck ack(
      @Nullable String re, @Nullable String localId, @Nullable Boolean duplicate) {
    return new MessageAck(
        re, ROOM, new ClientId("c-1"), localId, new Seq(3), new Rev(9), TIME, "sent", duplicate);
  }

  private final FrameTable reader = new FrameTable(16_384, 1_000);

  private static Map<String, byte[]> encoded() {
    var stamp = new EventFrames.Stamp(ROOM, new Rev(14), EPOCH, ANN, TIME);
    Map<String, byte[]> encoded = new TreeMap<>();
    FRAMES.forEach((name, frame) -> encoded.put(name, Json.bytes(frame)));
    CHANGES.forEach(c -> encoded.put("room.event." + c.kind(), EventFrames.change(stamp, c)));
    STORED.forEach(c -> encoded.put("room.event." + c.kind(), c.frame(stamp)));
    encoded.put("room.event.sealed", EventFrames.sealed(stamp, new Seq(3)));
    encoded.put("envelope.receive", envelope(7, WHOLE));
    encoded.put("envelope.receive~least", envelope(8, LOOSE));
    encoded.put("envelope.receive~gone", EnvelopeFrames.gone(new QueueSeq(9), EPOCH));
    encoded.put("room.event.hidden", EventFrames.hidden(ROOM, new Rev(14), EPOCH));
    encoded.put("message.receive", EventFrames.message(SENT, EPOCH));
    encoded.put("message.receive~edited", EventFrames.message(EDITED, EPOCH));
    encoded.put("message.receive~tombstone", EventFrames.message(DELETED, EPOCH));
    return encoded;
  }

  static Stream<Golden> server() {
    return Golden.all("server").stream();
  }

  static Stream<Golden> client() {
    return Golden.all("client").stream();
  }

  @ParameterizedTest
  @MethodSource("server")
  void aServersFrameIsItsSampleByteForByte(Golden sample) {
    byte[] frame = Objects.requireNonNull(encoded().get(sample.file()), "no frame is made for it");

    assertThat(text(frame)).isEqualTo(sample.text());
    assertThat(Contract.FRAMES.serverFaults(sample.text())).isEmpty();
  }

  @Test
  void everyServersFrameHasASampleAndADocument() {
    assertThat(Golden.all("server")).extracting(Golden::file).hasSameElementsAs(encoded().keySet());
    assertThat(names(Golden.all("server"))).isEqualTo(dotted(Contract.FRAMES.server().keySet()));
    assertThat(classes(FRAMES.values())).isEqualTo(permitted(ServerFrame.class));
    assertThat(classes(CHANGES)).isEqualTo(permitted(RoomChange.class));
  }

  @Test
  void aMessageHasTheSameFieldsInHistoryAsOnTheSocket() {
    for (Message message : List.of(SENT, EDITED, DELETED)) {
      String received = text(EventFrames.message(message, EPOCH));

      assertThat(text(Json.bytes(message)))
          .isEqualTo(
              received.replace("\"type\":\"message.receive\",", "").replace(",\"epoch\":1}", "}"));
    }
  }

  private static String text(byte[] frame) {
    return new String(frame, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("client")
  void aClientsFrameIsRead(Golden sample) {
    assertThat(reader.read(sample.text()).refusal()).isNull();
    assertThat(Contract.FRAMES.clientFaults(sample.text())).isEmpty();
  }

  @Test
  void everyClientsFrameHasASampleAndADocument() {
    List<Golden> samples = Golden.all("client");
    Set<String> read =
        samples.stream()
            .map(sample -> Objects.requireNonNull(reader.read(sample.text()).frame()))
            .map(frame -> frame.getClass().getSimpleName())
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(read).isEqualTo(permitted(ClientFrame.class));
    assertThat(names(samples)).isEqualTo(Contract.FRAMES.client().keySet());
    assertThat(reader.limits().keySet()).isEqualTo(Contract.FRAMES.client().keySet());
  }

  @ParameterizedTest
  @MethodSource("server")
  void theDocumentRefusesAWrongServersFrame(Golden sample) {
    theDocumentRefuses(sample, Contract.FRAMES.server(), Contract.FRAMES::serverFaults);
  }

  @ParameterizedTest
  @MethodSource("client")
  void theDocumentRefusesAWrongClientsFrame(Golden sample) {
    theDocumentRefuses(sample, Contract.FRAMES.client(), Contract.FRAMES::clientFaults);
  }

  private static void theDocumentRefuses(
      Golden sample, Map<String, Shape> shapes, Function<String, List<String>> faults) {
    assertThat(Mutations.of(shape(sample, shapes).source(), sample.json()))
        .isNotEmpty()
        .allSatisfy(m -> assertThat(faults.apply(m.json().toString())).isNotEmpty());
  }

  private static Shape shape(Golden sample, Map<String, Shape> shapes) {
    return shapes.entrySet().stream()
        .filter(shape -> shape.getKey().replace(' ', '.').equals(sample.name()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("client")
  void theReaderRefusesAWrongFrameNamingTheField(Golden sample) {
    Shape shape = shape(sample, Contract.FRAMES.client());

    assertThat(Mutations.of(shape.source(), sample.json()))
        .allSatisfy(
            mutation -> {
              Refusal refusal =
                  Objects.requireNonNull(reader.read(mutation.json().toString()).refusal());
              assertThat(refusal.field()).contains(mutation.field());
              assertThat(refusal.code())
                  .isIn(ErrorCode.INVALID_FIELD, ErrorCode.TOO_LARGE, ErrorCode.UNKNOWN_TYPE);
            });
  }

  @Test
  void aGoodbyeSaysAnyCodeButThatOfBye() {
    for (CloseCode code : CloseCode.values()) {
      String frame = text(Json.bytes(new Goodbye(code.code(), "reason", code.resume(), 1)));
      assertThat(Contract.FRAMES.serverFaults(frame).isEmpty()).isEqualTo(code != CloseCode.NORMAL);
    }
  }

  private static Set<String> names(List<Golden> samples) {
    return samples.stream().map(Golden::name).collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> dotted(Set<String> names) {
    return names.stream()
        .map(name -> name.replace(' ', '.'))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> classes(Iterable<?> values) {
    Set<String> names = new TreeSet<>();
    values.forEach(value -> names.add(value.getClass().getSimpleName()));
    return names;
  }

  private static Set<String> permitted(Class<?> sealed) {
    return Arrays.stream(sealed.getPermittedSubclasses())
        .map(Class::getSimpleName)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
