package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Fence;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.SessionId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PublicationCodecTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final AccountId ACCOUNT = new AccountId(Long.MAX_VALUE);
  private static final byte[] KEY = "the key of this database".getBytes(StandardCharsets.UTF_8);

  private final PublicationCodec codec = new PublicationCodec(KEY);

  @Test
  void anEventComesBackAsItWas() {
    assertThat(codec.decodeEvent(ROOM, codec.seal(event(new Event.OfRoom())).bytes()))
        .get()
        .usingRecursiveComparison()
        .isEqualTo(event(new Event.OfRoom()));
  }

  static Stream<Event.Subject> aboutMessages() {
    return Stream.of(
        new Event.OfMessage(new Seq(1L << 41), new Rev(1L << 42)),
        new Event.OfChange(new Seq(1L << 41), new Rev(1L << 42), true));
  }

  @ParameterizedTest
  @MethodSource("aboutMessages")
  void anEventAboutAMessageComesBackAsItWas(Event.Subject subject) {
    Event event = event(subject);
    assertThat(codec.decodeEvent(ROOM, codec.seal(event).bytes()))
        .get()
        .usingRecursiveComparison()
        .isEqualTo(event);
  }

  @ParameterizedTest
  @EnumSource
  void anEventThatEndsAMembershipComesBackAsItWas(LeaveReason reason) {
    Event event = event(new Event.Departure(ACCOUNT, reason));
    assertThat(codec.decodeEvent(ROOM, codec.seal(event).bytes()))
        .get()
        .usingRecursiveComparison()
        .isEqualTo(event);
  }

  @Test
  void aSendToQueuesComesBackAsItWas() {
    QueuedSend send =
        send(
            new QueuedSend.Place(new RegistrationId(1L << 40), new QueueSeq(1L << 41), false, "k☎"),
            new QueuedSend.Place(new RegistrationId(2), new QueueSeq(1), false, null));
    assertThat(codec.decode(ROOM, codec.encode(send)))
        .get()
        .usingRecursiveComparison()
        .isEqualTo(send);
    assertThat(codec.isOwn(codec.encode(send))).isTrue();
    assertThat(codec.decode(ROOM, codec.encode(send())))
        .as("for no device")
        .get()
        .usingRecursiveComparison()
        .isEqualTo(send());
    assertThat(codec.decode(new RoomId(8), codec.encode(send))).isEmpty();
  }

  @Test
  void bodiesThatAreTooMuchTogetherAreToBeRead() {
    String body = "k".repeat(PublicationCodec.MOST_BODY_BYTES / 2);
    QueuedSend send =
        send(
            new QueuedSend.Place(new RegistrationId(1), new QueueSeq(1), false, body),
            new QueuedSend.Place(new RegistrationId(2), new QueueSeq(1), false, body),
            new QueuedSend.Place(new RegistrationId(3), new QueueSeq(1), false, null));
    assertThat(carried(send)).containsExactly(body, body, null);
    QueuedSend more =
        send(
            new QueuedSend.Place(new RegistrationId(1), new QueueSeq(1), false, body),
            new QueuedSend.Place(new RegistrationId(2), new QueueSeq(1), false, body + "k"),
            new QueuedSend.Place(new RegistrationId(3), new QueueSeq(1), false, null));
    assertThat(carried(more)).containsExactly("cut", "cut", null);
  }

  private static QueuedSend send(QueuedSend.Place... places) {
    byte[] tail = ",\"epoch\":1}".getBytes(StandardCharsets.UTF_8);
    return new QueuedSend(ROOM, null, new Epoch(3), 1L << 42, tail, Arrays.asList(places));
  }

  private List<@Nullable String> carried(QueuedSend send) {
    QueuedSend heard = (QueuedSend) codec.decode(ROOM, codec.encode(send)).orElseThrow();
    List<@Nullable String> carried = new ArrayList<>();
    heard.places().forEach(place -> carried.add(place.cut() ? "cut" : place.body()));
    return carried;
  }

  static Stream<AccountSignal> signal() {
    return Stream.of(
        new AccountSignal.Queued(ACCOUNT),
        new AccountSignal.Added(ACCOUNT, ROOM),
        new AccountSignal.Removed(ACCOUNT, ROOM, LeaveReason.BANNED),
        new AccountSignal.Revoked(ACCOUNT, new DeviceId("phone ☎")),
        new AccountSignal.DevicesChanged(ACCOUNT, 1L << 40),
        new AccountSignal.OtherDevicesChanged(ACCOUNT, new AccountId(4), 1L << 40),
        new AccountSignal.KeysLow(ACCOUNT, new DeviceId("phone ☎"), 19),
        new AccountSignal.MarkerMoved(
            ACCOUNT, ROOM, new Seq(7), new Seq(8), new Seq(3), 99, new SessionId("s")),
        new AccountSignal.MarkerMoved(ACCOUNT, ROOM, new Seq(7), new Seq(8), null, 99, null),
        new AccountSignal.OthersRead(ACCOUNT, ROOM, new Seq(7), new Seq(8), new Rev(9)),
        new AccountSignal.UnreadChanged(ACCOUNT, ROOM, 7, 1, 12, new Seq(3), new Rev(4), 99),
        new AccountSignal.PresenceChanged(ACCOUNT, PresenceStatus.AWAY, 1L << 41, 1L << 50),
        new AccountSignal.StatusTextChanged(ACCOUNT, "Grüße", 1L << 50),
        new AccountSignal.StatusSet(ACCOUNT, PresenceStatus.ONLINE, 1L << 40),
        new AccountSignal.VisibilityChanged(ACCOUNT),
        new AccountSignal.SeatChanged(ACCOUNT, ROOM, null),
        new AccountSignal.SeatChanged(ACCOUNT, ROOM, SeatNews.EXPIRED),
        new AccountSignal.SeatChanged(
            ACCOUNT, ROOM, SeatNews.INSIDE, new GivenSeat(99, 100, 1L << 40, 1L << 50)),
        new AccountSignal.Displaced(ACCOUNT, new DeviceId(""), new Fence(new Epoch(2), 7)));
  }

  @ParameterizedTest
  @MethodSource("signal")
  void accountNewsComesBackAsItWas(AccountSignal signal) {
    assertThat(codec.decodeSignal(ACCOUNT, codec.encode(signal))).contains(signal);
  }

  private static RoomSignal typing() {
    return new RoomSignal(
        ROOM,
        ACCOUNT,
        new RoomSignal.State("typing", Duration.ofSeconds(5)),
        Set.of(),
        "{}".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aSignalOfARoomComesBackAsItWasAndIsNoEvent() {
    byte[] publication = codec.encode(typing());
    assertThat(codec.decode(ROOM, publication))
        .get()
        .usingRecursiveComparison()
        .isEqualTo(typing());
    assertThat(codec.decodeEvent(ROOM, publication)).isEmpty();
    assertThat(codec.decode(new RoomId(8), publication)).isEmpty();
    for (int i = 0; i < publication.length; i++) {
      byte[] bad = publication.clone();
      bad[i] ^= 1;
      assertThat(codec.decode(ROOM, bad)).as("byte %d", i).isEmpty();
    }
  }

  @Test
  void whoPublishedKnowsItsOwnAgainButForSignalsOfRoomsWhichItWantsToHear() {
    PublicationCodec another = new PublicationCodec(KEY);
    byte[] event = codec.seal(event(new Event.OfRoom())).bytes();
    byte[] signal = codec.encode(new AccountSignal.Added(ACCOUNT, ROOM));
    assertThat(codec.isOwn(event)).isTrue();
    assertThat(codec.isOwn(signal)).isTrue();
    assertThat(another.isOwn(event)).isFalse();
    assertThat(another.isOwn(signal)).isFalse();
    assertThat(codec.isOwn(codec.encode(typing()))).isFalse();
    assertThat(codec.isOwn(new byte[0])).isFalse();
    assertThat(codec.isOwn(Arrays.copyOf(event, 20))).isFalse();
    assertThat(codec.decodeEvent(ROOM, event)).as("from the recent window").isPresent();
  }

  @Test
  void whatANewerNodeSealedIsKnownToBeUnknown() {
    byte[] newer = codec.encode(typing());
    newer[25] = 8; // behind version, seal and origin
    byte[] seal = new Seal(KEY).of(Seal.Subject.ROOM, ROOM.value(), newer[0], newer, 17);
    System.arraycopy(seal, 0, newer, 1, seal.length);
    assertThat(codec.decode(ROOM, newer)).contains(new RoomPublication.Unknown());
  }

  @Test
  void aChangeOfAnySingleByteIsRefused() {
    byte[] good = codec.seal(event(new Event.Departure(ACCOUNT, LeaveReason.LEFT))).bytes();
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 1;
      assertThat(codec.decodeEvent(ROOM, bad)).as("byte %d", i).isEmpty();
    }
  }

  @Test
  void aPublicationCutOffOrLengthenedAnywhereIsRefused() {
    byte[] good = codec.seal(event(new Event.OfRoom())).bytes();
    for (int length = 0; length < good.length; length++) {
      assertThat(codec.decodeEvent(ROOM, Arrays.copyOf(good, length))).isEmpty();
    }
    assertThat(codec.decodeEvent(ROOM, Arrays.copyOf(good, good.length + 1))).isEmpty();
  }

  @Test
  void aPublicationIsWorthNothingOnAnotherChannel() {
    assertThat(codec.decodeEvent(new RoomId(8), codec.seal(event(new Event.OfRoom())).bytes()))
        .isEmpty();
    AccountSignal signal = new AccountSignal.Added(new AccountId(7), ROOM);
    assertThat(codec.decodeSignal(new AccountId(8), codec.encode(signal))).isEmpty();
    assertThat(codec.decodeEvent(new RoomId(7), codec.encode(signal))).isEmpty();
    assertThat(codec.decodeSignal(new AccountId(7), codec.seal(event(new Event.OfRoom())).bytes()))
        .isEmpty();
  }

  @Test
  void aPublicationOfAnotherDatabaseIsRefused() {
    PublicationCodec foreign = new PublicationCodec("other".getBytes(StandardCharsets.UTF_8));
    assertThat(codec.decodeEvent(ROOM, foreign.seal(event(new Event.OfRoom())).bytes())).isEmpty();
  }

  private static Event event(Event.Subject subject) {
    byte[] frame = "{\"type\":\"message.receive\"}".getBytes(StandardCharsets.UTF_8);
    return new Event(ROOM, new Epoch(3), new Rev(1L << 40), subject, frame);
  }
}
