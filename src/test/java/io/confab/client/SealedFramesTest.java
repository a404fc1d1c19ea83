package io.confab.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.client.SealedCalls.Delivery;
import io.confab.client.SealedCalls.EnvelopeSend;
import io.confab.client.SealedCalls.EnvelopeStored;
import io.confab.client.SealedCalls.Letter;
import io.confab.contract.Golden;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.FullDevice;
import io.confab.protocol.Opaque;
import io.confab.protocol.PresentDevice;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What stands on the wire of sealed rooms, by the samples of it, is what the client reads and
/// writes.
@Timeout(120)
class SealedFramesTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final AccountId ANN = new AccountId(32);
  private static final AccountId BOB = new AccountId(33);
  private static final DeviceId DEVICE = new DeviceId("d");
  private static final ClientId CLIENT_ID = new ClientId("c-1");
  private static final long TIME = 1_700_000_000_123L;
  private static final RoomUpdate.Change CHANGE =
      new RoomUpdate.Change(ROOM, new Rev(14), ANN, TIME);

  private static final Map<String, QueueEvent> OF_QUEUES =
      Map.of(
          "queue.opened",
          new QueueEvent.Opened(new Epoch(1), at(7), at(9), true, 50, false),
          "queue.opened~least",
          new QueueEvent.Opened(new Epoch(1), at(7), at(6), false, 0, true),
          "queue.empty",
          new QueueEvent.Drained(at(9)),
          "keys.low",
          new QueueEvent.KeysLow(19),
          "devices.changed",
          new QueueEvent.DevicesChanged(BOB, 7),
          "envelope.receive",
          new QueueEvent.Came(
              new QueuedEnvelope.Content(
                  at(7),
                  new Epoch(1),
                  ROOM,
                  new Seq(3),
                  ANN,
                  DEVICE,
                  CLIENT_ID,
                  TIME,
                  new Opaque("a2V5"),
                  new Opaque("cGF5bG9hZA"),
                  TIME + 3_600_000)),
          "envelope.receive~least",
          new QueueEvent.Came(
              new QueuedEnvelope.Content(
                  at(8),
                  new Epoch(1),
                  null,
                  null,
                  ANN,
                  DEVICE,
                  new ClientId("c-2"),
                  TIME,
                  new Opaque("a2V5"),
                  null,
                  null)),
          "envelope.receive~gone",
          new QueueEvent.Came(new QueuedEnvelope.Gone(at(9), new Epoch(1))));

  private static QueueSeq at(long number) {
    return new QueueSeq(number);
  }

  private static JsonNode sample(String sort, String file) {
    return Golden.all(sort).stream()
        .filter(golden -> golden.file().equals(file))
        .map(golden -> ClientJson.tree(golden.text()))
        .findFirst()
        .orElseThrow();
  }

  /// As a server reads it.
  private static JsonNode written(ObjectNode node) {
    return ClientJson.tree(ClientJson.bytes(node));
  }

  @Test
  void whatIsToldOfQueuesAndKeysIsRead() {
    assertThat(OF_QUEUES)
        .allSatisfy(
            (file, event) ->
                assertThat(QueueFrames.read(sample("server", file))).as(file).contains(event));
    assertThat(Golden.all("server").stream().filter(SealedFramesTest::isOfQueues))
        .extracting(Golden::file)
        .containsExactlyInAnyOrderElementsOf(OF_QUEUES.keySet());
  }

  private static boolean isOfQueues(Golden golden) {
    return QueueFrames.read(ClientJson.tree(golden.text())).isPresent();
  }

  @Test
  void whatIsAskedOfQueuesIsWritten() {
    assertThat(written(new QueueAsk.Open(new Epoch(1), at(6)).frame().put("id", "15")))
        .isEqualTo(sample("client", "queue.open"));
    assertThat(written(new QueueAsk.Open(null, at(0)).frame()))
        .isEqualTo(sample("client", "queue.open~least"));
    assertThat(written(new QueueAsk.Acknowledge(new Epoch(1), at(7)).frame().put("id", "16")))
        .isEqualTo(sample("client", "queue.ack"));
    QueueAsk reject = new QueueAsk.Reject(new Epoch(1), at(7), "no_session");
    assertThat(written(reject.frame().put("id", "17"))).isEqualTo(sample("client", "queue.reject"));
  }

  @Test
  void changesOfSealedRoomsAreUpdates() {
    assertThat(RoomEvent.read(sample("server", "room.event.sealed")).update())
        .contains(new RoomUpdate.Sealed(CHANGE, new Seq(3)));

    ObjectNode both = ClientJson.object().put("expires_in_s", 3600);
    both.putObject("encryption").put("suite", "olm1").put("from_seq", 3).put("from_rev", 14);
    assertThat(changed(both))
        .isEqualTo(new RoomUpdate.RoomSealed(CHANGE, "olm1", new Seq(3), 3600));
    ObjectNode sealed = both.deepCopy();
    sealed.remove("expires_in_s");
    assertThat(changed(sealed))
        .isEqualTo(new RoomUpdate.RoomSealed(CHANGE, "olm1", new Seq(3), null));
    assertThat(changed(ClientJson.object().put("expires_in_s", 0)))
        .isEqualTo(new RoomUpdate.ExpirySet(CHANGE, 0));
    assertThat(changed(ClientJson.object().put("name", "Tea")))
        .isInstanceOf(RoomUpdate.Other.class);
  }

  private static RoomUpdate changed(ObjectNode settings) {
    ObjectNode frame = sample("server", "room.event.room.changed").deepCopy();
    frame.set("settings", settings);
    return RoomEvent.read(frame).update().orElseThrow();
  }

  @Test
  void whatArrivedAndWhatIsLostAreSignals() {
    assertThat(told("marker~sealed"))
        .containsExactly(new RoomSignal.Arrived(ROOM, BOB, new Seq(2), new Seq(3)));
    assertThat(told("message.ack~failed"))
        .containsExactly(new RoomSignal.Undelivered(ROOM, BOB, new Seq(3), "expired"));
  }

  private static List<RoomSignal> told(String file) {
    List<RoomSignal> told = new ArrayList<>();
    Signals signals =
        new Signals(
            ClientOptions.usual(),
            SessionRules.backoff(() -> 0),
            action -> told.add(((Action.Signal) action).signal()));
    signals.listed(ROOM, true);
    signals.frame(sample("server", file), 0);
    return told;
  }

  /// Else the client would take the messages before as received, and confirm none of them.
  @Test
  void whatArrivedAtAnotherDeviceOfTheAccountSaysNothingOfPlainMessages() {
    List<ObjectNode> frames = new ArrayList<>();
    SessionRules rules =
        new SessionRules(
            1,
            ClientOptions.usual(),
            () -> 0,
            action -> {
              if (action instanceof Action.Transmit(ObjectNode frame)) {
                frames.add(frame);
              }
            });
    rules.connect(0);
    rules.opened(0);
    ObjectNode welcome =
        ClientJson.object().put("type", "welcome").put("account_id", BOB.toString());
    welcome
        .putArray("rooms")
        .addObject()
        .put("room_id", ROOM.toString())
        .put("epoch", 1)
        .put("seq", 0)
        .put("rev", 0)
        .put("receipts", true);
    rules.frame(welcome, 0);
    ObjectNode resumed = ClientJson.object().put("type", "resumed").put("re", "resume-1");
    resumed.putArray("rooms");
    rules.frame(resumed, 0);
    rules.frame(sample("server", "marker~sealed"), 0);
    ObjectNode said =
        ClientJson.object()
            .put("type", "message.receive")
            .put("room_id", ROOM.toString())
            .put("epoch", 1)
            .put("seq", 1)
            .put("rev", 1)
            .put("sender_id", ANN.toString())
            .put("client_id", "c-9")
            .put("msg_type", "text")
            .put("body", "before the room was sealed")
            .put("ts", TIME);
    rules.frame(said, 0);
    rules.tick(2_000);

    assertThat(frames)
        .filteredOn(frame -> frame.path("type").asText().equals("delivered"))
        .extracting(frame -> frame.path("seq").asLong())
        .containsExactly(1L);
  }

  @Test
  void aMismatchNamesTheDevicesOfTheRoom() {
    ObjectNode error =
        ClientJson.object()
            .put("code", "device_mismatch")
            .put("message", "other devices")
            .put("retryable", true);
    error
        .putArray("devices")
        .addObject()
        .put("account_id", BOB.toString())
        .put("device_id", "d")
        .put("registration_id", 5);

    assertThat(ApiErrors.read(error, 409).devices())
        .containsExactly(new PresentDevice(BOB, DEVICE, new RegistrationId(5)));
    assertThat(ApiErrors.read(sample("server", "error"), 0).devices()).isEmpty();
  }

  @Test
  void whatIsSentIsWritten() {
    Letter letter = new Letter(BOB, DEVICE, new RegistrationId(5), new Opaque("a2V5"));
    EnvelopeSend send =
        new EnvelopeSend(
            CLIENT_ID, "0123456789abcdef", new Opaque("cGF5bG9hZA"), List.of(letter), false, 3600);

    assertThat(written(ClientJson.write(send))).isEqualTo(sample("request", "sendEnvelope"));
    assertThat(written(ClientJson.write(new SealedCalls.Loose(CLIENT_ID, List.of(letter)))))
        .isEqualTo(sample("request", "sendEnvelopes"));
    assertThat(
            ClientJson.write(
                new EnvelopeSend(CLIENT_ID, "0123456789abcdef", null, List.of(), true, null)))
        .isEqualTo(
            ClientJson.object()
                .put("client_id", "c-1")
                .put("devices", "0123456789abcdef")
                .put("silent", true));
  }

  @Test
  void whatBecameOfASendIsRead() {
    assertThat(answer("sendEnvelope.201", EnvelopeStored.class))
        .isEqualTo(
            new EnvelopeStored(
                ROOM, CLIENT_ID, new Seq(3), TIME, false, List.of(new FullDevice(BOB, DEVICE))));
    assertThat(answer("sendEnvelope.200", EnvelopeStored.class).duplicate()).isTrue();
    assertThat(answer("sendEnvelopes.201", EnvelopeStored.class))
        .isEqualTo(new EnvelopeStored(null, CLIENT_ID, null, TIME, false, List.of()));
    assertThat(ClientJson.list(sample("answer", "readDeliveries.200"), "accounts", Delivery.class))
        .containsExactly(
            new Delivery(
                BOB,
                List.of(
                    new SealedCalls.Run(new Seq(1), new Seq(4)),
                    new SealedCalls.Run(new Seq(6), new Seq(6))),
                new Seq(3),
                List.of(new SealedCalls.Failed(new Seq(5), "expired"))));
  }

  private static <T> T answer(String file, Class<T> type) {
    return ClientJson.read(sample("answer", file), type);
  }

  @Test
  void devicesAndRoomsSayWhatTheyAreSealedBy() {
    assertThat(ClientJson.list(sample("answer", "listDevices.200"), "devices", OwnDevice.class))
        .last()
        .isEqualTo(
            new OwnDevice(
                new DeviceId("e"),
                "Phone",
                "web",
                false,
                TIME,
                new RegistrationId(18),
                "olm1",
                1_700_000_000_456L));

    ObjectNode room = sample("answer", "getRoom.200").deepCopy();
    assertThat(ClientJson.read(room, ChatRoom.class).encryption()).isNull();
    room.put("expires_in_s", 3600);
    room.putObject("encryption").put("suite", "olm1").put("from_seq", 4).put("from_rev", 5);
    ChatRoom sealed = ClientJson.read(room, ChatRoom.class);
    assertThat(sealed.encryption())
        .isEqualTo(new ChatRoom.Encryption("olm1", new Seq(4), new Rev(5)));
    assertThat(sealed.expiresInS()).isEqualTo(3600);
  }
}
