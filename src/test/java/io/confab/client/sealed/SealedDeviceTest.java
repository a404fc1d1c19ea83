package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Seq;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealedDeviceTest {
  private static final QueueSeq NONE = new QueueSeq(0);

  private Path temp;

  private final HonestServer server = new HonestServer();
  private final List<Talker> talkers = new ArrayList<>();
  private Talker alice;
  private Talker bob;
  private AccountId[] both;

  @BeforeEach
  void meet(@TempDir Path folder) {
    temp = folder;
    alice = add(Talker.first(server, temp, 17, "a"));
    bob = add(Talker.first(server, temp, 18, "b"));
    both = new AccountId[] {alice.account(), bob.account()};
    alice.ask(both);
    bob.ask(both);
  }

  @AfterEach
  void part() {
    talkers.forEach(Talker::close);
  }

  @Test
  void linesAreReadOnBothSides() {
    alice.say("Hello, Bob.", both);
    assertThat(bob.hear()).containsExactly("Hello, Bob.");
    bob.say("Hello, Alice.", both);
    assertThat(alice.hear()).containsExactly("Hello, Alice.");
    for (int i = 0; i < 30; i++) {
      alice.say("line " + i, both);
    }
    assertThat(bob.hear()).hasSize(30);
    assertThat(bob.texts()).hasSize(32).startsWith("Hello, Bob.", "Hello, Alice.");
    assertThat(alice.texts()).isEqualTo(bob.texts());
    assertThat(bob.warnings).isEmpty();
  }

  @Test
  void theKeyGoesWithTheFirstLineOnly() {
    Outgoing first = alice.prepare("one", both);
    assertThat(first.envelopes()).hasSize(1);
    Seq seq = server.send(alice.place, first, List.of(both), 1).orElseThrow();
    alice.device().stored(Talker.ROOM, seq, 1, List.of(), false);
    assertThat(alice.prepare("two", both).envelopes()).isEmpty();
  }

  @Test
  void aDeviceWhoseQueueWasFullIsGivenTheKeyWithTheNextLine() {
    Outgoing first = alice.prepare("one", both);
    Seq seq = server.send(alice.place, first, List.of(both), 1).orElseThrow();
    alice.device().stored(Talker.ROOM, seq, 1, List.of(bob.place), false);
    assertThat(alice.prepare("two", both).envelopes())
        .extracting(LetterTo::device)
        .containsExactly(bob.place);
  }

  @Test
  void aSendIsTheSameBytesUntilItIsSettledAlsoAfterBeingKilled() {
    Outgoing first = alice.prepare("one", both);
    alice.restart();
    assertThat(alice.device().pending(Talker.ROOM)).hasValue(first);
    Outgoing again =
        alice
            .device()
            .prepare(
                Talker.ROOM,
                first.clientId(),
                "one",
                List.of(both),
                Rotation.GROUP,
                null,
                Talker.NOW.plus(Duration.ofDays(20)));
    assertThat(again).isEqualTo(first);
    assertThatThrownBy(() -> alice.prepare("another", both))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anIdentityIsMadeOnce() {
    Opaque made = alice.device().createIdentity();
    assertThat(alice.device().ownIdentity()).hasValue(made);
    alice.restart();
    assertThat(alice.device().createIdentity()).isEqualTo(made);
    assertThat(server.query(alice.account()).identity()).isEqualTo(made);
  }

  @Test
  void aDeviceIsSignedByTheIdentityThatTheServerTells() {
    assertThat(alice.device().isSigned()).isTrue();
    Talker second = add(Talker.unsigned(server, temp, 17, "second"));
    second.ask(both);
    assertThat(second.device().isSigned()).isFalse();
    assertThat(second.device().ownIdentity()).isEmpty();
    // Another first device was later with its own.
    add(Talker.first(server, temp, 17, "third"));
    alice.ask(both);
    assertThat(alice.device().isSigned()).isFalse();
  }

  @Test
  void aDeviceTakesTheSignatureOfItsAccountIntoItsLetters() {
    Talker second = add(Talker.unsigned(server, temp, 17, "second"));
    DeviceIdentity identity =
        alice
            .store()
            .transact(
                changes ->
                    new OwnIdentity(alice.account())
                        .sign(
                            changes,
                            DeviceIdentity.read(
                                second.account(),
                                second.place.deviceId(),
                                second.device().publication(50).identity().value())))
            .orElseThrow();
    server.sign(second.place, identity.opaque());
    second.ask(both);
    assertThat(second.device().isSigned()).isTrue();
    // Bob did not ask: the letter has it.
    second.say("From my new device.", both);
    assertThat(bob.hear()).containsExactly("From my new device.");
  }

  @Test
  void theStoreOfAnotherDeviceIsRefused() {
    alice.device().close();
    try (SealedStore store = SealedStore.open(temp.resolve("17a"))) {
      assertThatThrownBy(() -> SealedDevice.open(store, alice.account(), new DeviceId("other")))
          .isInstanceOf(ForeignStoreException.class);
      assertThatThrownBy(() -> SealedDevice.open(store, bob.account(), alice.place.deviceId()))
          .isInstanceOf(ForeignStoreException.class);
    }
    alice.restartClosed();
  }

  @Test
  void theLengthOfAPayloadTellsLittle() {
    assertThat(List.of("", "a", "ä".repeat(20), "b".repeat(30)))
        .extracting(text -> payloadOf(text).length())
        .containsOnly(payloadOf("").length());
    assertThat(payloadOf("c".repeat(200)).length()).isGreaterThan(payloadOf("").length());
  }

  @Test
  void aDeviceThatComesReadsFromThereOnAndNothingBefore() {
    alice.say("before", both);
    Talker second = add(Talker.first(server, temp, 19, "c"));
    AccountId[] all = {both[0], both[1], second.account()};
    second.ask(all);
    alice.say("after", all);
    assertThat(second.hear()).containsExactly("after");
    assertThat(bob.hear()).containsExactly("before", "after");
  }

  @Test
  void afterADeviceIsGoneAnotherKeyIsUsed() {
    Talker carol = add(Talker.first(server, temp, 19, "c"));
    AccountId[] all = {both[0], both[1], carol.account()};
    alice.say("three", all);
    String former =
        SealedJson.foreign(alice.prepare("x", all).payload().value()).get("session_id").asText();
    alice.device().forget(Talker.ROOM);
    Outgoing next = alice.prepare("two", both);
    assertThat(SealedJson.foreign(next.payload().value()).get("session_id").asText())
        .isNotEqualTo(former);
    assertThat(next.envelopes()).extracting(LetterTo::device).containsExactly(bob.place);
  }

  @Test
  void aKeyIsUsedForSoManyLinesAndSoLong() {
    Rotation rotation = new Rotation(2, Duration.ofDays(1));
    List<String> ids = new ArrayList<>();
    for (int hours : List.of(0, 1, 2, 25, 30)) {
      for (RoomDevice to : alice.device().toClaim(List.of(both))) {
        alice.device().claimed(to.accountId(), to.deviceId(), server.claim(to));
      }
      Outgoing outgoing =
          alice
              .device()
              .prepare(
                  Talker.ROOM,
                  new ClientId("h" + hours),
                  "text",
                  List.of(both),
                  rotation,
                  null,
                  Talker.NOW.plus(Duration.ofHours(hours)));
      ids.add(SealedJson.foreign(outgoing.payload().value()).get("session_id").asText());
      alice.device().stored(Talker.ROOM, new Seq(ids.size()), 1, List.of(), false);
    }
    assertThat(ids.get(1)).isEqualTo(ids.get(0));
    assertThat(ids.get(2)).isNotEqualTo(ids.get(1));
    assertThat(ids.get(3)).isEqualTo(ids.get(2));
    assertThat(ids.get(4)).isNotEqualTo(ids.get(3));
  }

  @Test
  void oneTimeKeysThenTheFallbackKeyAndBothSessionsOnItRead() {
    while (server.waiting(bob.place) > 1) {
      server.claim(bob.place);
    }
    alice.say("by the last one-time key", both);
    Talker carol = add(Talker.first(server, temp, 19, "c"));
    Talker dave = add(Talker.first(server, temp, 20, "d"));
    AccountId[] all = {both[0], both[1], carol.account(), dave.account()};
    for (Talker talker : talkers) {
      talker.ask(all);
    }
    carol.say("by the fallback", all);
    dave.say("by the fallback, too", all);
    assertThat(bob.hear())
        .containsExactly("by the last one-time key", "by the fallback", "by the fallback, too");
  }

  @Test
  void whatWasOpenedIsNotOpenedAgain() {
    alice.say("once", both);
    List<Received> page = server.queueAfter(bob.place, new QueueSeq(0));
    assertThat(Talker.shown(bob.device().open(page))).containsExactly("once");
    assertThat(bob.device().open(page)).containsExactly(new Opened.Past(new QueueSeq(1)));
    bob.restart();
    assertThat(bob.device().open(page)).containsExactly(new Opened.Past(new QueueSeq(1)));
    assertThat(bob.texts()).containsExactly("once");
  }

  @Test
  void afterALineThatCouldNotBeOpenedTheDevicesBeginAnewAndReadOn() {
    alice.say("one", both);
    bob.hear();
    bob.say("two", both);
    alice.hear();
    Received.Envelope lost =
        (Received.Envelope) server.queueAfter(bob.place, new QueueSeq(0)).get(0);
    // Bob lost what he knew of Alice: her next key comes by a session that he does not have.
    bob.device().close();
    try (SealedStore store = SealedStore.open(temp.resolve("18b"))) {
      store.change(
          changes -> {
            changes.keys("olm/").forEach(changes::remove);
            changes.keys("recv/").forEach(changes::remove);
          });
    }
    bob.restartClosed();
    alice.say("three", both);
    assertThat(bob.open())
        .containsExactly(
            new Opened.Dropped(
                new QueueSeq(lost.queueSeq().value() + 1),
                alice.account(),
                alice.place.deviceId(),
                Doubt.UNDECRYPTABLE));
    assertThat(bob.device().toClaim(List.of(both))).containsExactly(alice.place);
    assertThat(bob.device().toTell()).isEmpty();
    bob.device().claimed(alice.account(), alice.place.deviceId(), server.claim(alice.place));
    // A key is claimed once, not for each line; and word is owed until it was sent.
    assertThat(bob.device().toClaim(List.of(both))).isEmpty();
    bob.restart();
    assertThat(bob.device().toTell()).containsExactly(alice.place);
    server.sendLoose(bob.place, List.of(bob.device().dummy(alice.place)));
    bob.device().told(alice.place);
    assertThat(bob.device().toTell()).isEmpty();
    assertThat(alice.open()).hasOnlyElementsOfType(Opened.Taken.class);
    alice.say("four", both);
    assertThat(bob.hear()).containsExactly("four");
  }

  @Test
  void aKeyOutlastsTheLineWithWhichItWasFirstUsed() {
    alice.sayFor(30, "over before it is read", both);
    server.expire(bob.place);
    assertThat(bob.hear()).isEmpty();
    alice.say("readable", both);
    assertThat(bob.hear()).containsExactly("readable");
  }

  @Test
  void aKeyThatWentWithALineWithALifetimeIsUsedNoMore() {
    Outgoing first = alice.prepare("over before it is read", 30, both);
    assertThat(first.envelopes()).hasSize(1);
    Seq seq = server.send(alice.place, first, List.of(both), 1).orElseThrow();
    alice.device().stored(Talker.ROOM, seq, 1, List.of(), false);
    server.expire(bob.place);
    alice.say("readable", both);
    assertThat(bob.hear()).containsExactly("readable");
  }

  @Test
  void aKeyEndsWhereItIsNotKnownWhoseQueueWasFull() {
    Outgoing first = alice.prepare("one", both);
    Seq seq = server.send(alice.place, first, List.of(both), 1).orElseThrow();
    alice.device().stored(Talker.ROOM, seq, 1, List.of(), true);
    Outgoing second = alice.prepare("two", both);
    assertThat(second.envelopes()).extracting(LetterTo::device).containsExactly(bob.place);
    assertThat(session(second)).isNotEqualTo(session(first));
    // Nobody was told anything by the next one.
    seq = server.send(alice.place, second, List.of(both), 1).orElseThrow();
    alice.device().stored(Talker.ROOM, seq, 1, List.of(), false);
    Outgoing third = alice.prepare("three", both);
    seq = server.send(alice.place, third, List.of(both), 1).orElseThrow();
    alice.device().stored(Talker.ROOM, seq, 1, List.of(), true);
    assertThat(session(alice.prepare("four", both))).isEqualTo(session(second));
  }

  @Test
  void lettersThatMayHaveMetAFullQueueEndTheKeyToo() {
    alice.claim(both);
    KeyLetters letters = keyLetters();
    assertThat(letters.letters()).hasSize(1);
    alice.device().gotKey(letters, List.of(), true);
    KeyLetters others = keyLetters();
    assertThat(others.keyId()).isNotEqualTo(letters.keyId());
    alice.device().gotKey(others, List.of(bob.place), false);
    assertThat(keyLetters().letters()).hasSize(1);
    alice.device().gotKey(others, List.of(), false);
    assertThat(keyLetters().letters()).isEmpty();
  }

  @Test
  void aLineKeepsItsLifetimeWhereverItIs() {
    Outgoing outgoing = alice.prepare("for a while", 30, both);
    assertThat(outgoing.expiresInS()).isEqualTo(30);
    alice.restart();
    assertThat(alice.device().pendings()).containsExactly(outgoing);
    Seq seq = server.send(alice.place, outgoing, List.of(both), 1).orElseThrow();
    assertThat(alice.device().stored(Talker.ROOM, seq, 1_000, List.of(), false).expiresAt())
        .isEqualTo(31_000);
    assertThat(alice.device().pendings()).isEmpty();
    // Whatever the server says of it.
    Received.Envelope told =
        (Received.Envelope) server.queueAfter(bob.place, new QueueSeq(0)).getFirst();
    assertThat(bob.device().open(List.of(Lie.about(told).over(Long.MAX_VALUE).told())))
        .singleElement()
        .isInstanceOfSatisfying(
            Opened.Shown.class, shown -> assertThat(shown.line().expiresInS()).isEqualTo(30));
  }

  @Test
  void theServerMayShortenALifetime() {
    alice.say("plain", both);
    Received.Envelope told =
        (Received.Envelope) server.queueAfter(bob.place, new QueueSeq(0)).getFirst();
    assertThat(bob.device().open(List.of(Lie.about(told).over(told.ts() + 9_001).told())))
        .singleElement()
        .isInstanceOfSatisfying(
            Opened.Shown.class, shown -> assertThat(shown.line().expiresInS()).isEqualTo(10));
  }

  @Test
  void whereTheQueueIsAnotherOneKeysAreToldAnew() {
    alice.say("one", both);
    bob.hear();
    bob.say("two", both);
    alice.hear();
    // The server was restored from a copy: what it had given to Alice since is gone.
    alice.device().goOn(HonestServer.EPOCH, new QueueSeq(2), false);
    assertThat(alice.device().toTell()).isEmpty();
    alice.device().goOn(new Epoch(2), new QueueSeq(2), true);
    assertThat(alice.device().toTell()).containsExactly(bob.place);
    assertThat(alice.prepare("three", both).envelopes()).hasSize(1);
    bob.hear();
    assertThat(bob.prepare("four", both).envelopes()).hasSize(1);
  }

  @Test
  void numbersThatWereLostMayHaveHadKeys() {
    alice.say("one", both);
    bob.hear();
    bob.device().goOn(HonestServer.EPOCH, new QueueSeq(2), false);
    assertThat(bob.device().toTell()).isEmpty();
    bob.device().goOn(HonestServer.EPOCH, new QueueSeq(9), false);
    assertThat(bob.device().position()).hasValue(new Position(HonestServer.EPOCH, new QueueSeq(8)));
    assertThat(bob.device().toTell()).containsExactly(alice.place);
  }

  @Test
  void aDeviceThatCameAgainIsToldTheKeyAnew() {
    alice.say("one", both);
    server.remove(bob.place);
    RoomDevice again =
        server.publish(bob.account(), bob.place.deviceId(), bob.device().publication(0));
    alice.ask(both);
    assertThat(alice.prepare("two", both).envelopes())
        .extracting(LetterTo::device)
        .containsExactly(again);
  }

  @Test
  void whoHasNoDeviceAnyMoreIsToldOnce() {
    Warning gone = new Warning(bob.account(), null, Doubt.NO_DEVICE);
    alice.ask(both);
    assertThat(alice.warnings).doesNotContain(gone);
    server.remove(bob.place);
    alice.ask(both);
    alice.ask(both);
    assertThat(alice.warnings).containsOnlyOnce(gone);
    assertThat(alice.prepare("to nobody", both).envelopes()).isEmpty();
  }

  /// As where it was away for long, and takes part again.
  @Test
  void aDeviceIsNotWarnedThatItIsNotListed() {
    alice.ask(both);
    server.remove(alice.place);
    alice.ask(both);
    assertThat(alice.warnings).doesNotContain(new Warning(alice.account(), null, Doubt.NO_DEVICE));
  }

  @Test
  void whatIsOverIsInNoFile() {
    alice.say("secret", both);
    Received.Envelope plain =
        (Received.Envelope) server.queueAfter(bob.place, new QueueSeq(0)).get(0);
    bob.device().open(List.of(Lie.about(plain).over(Talker.NOW.toEpochMilli() + 1_000).told()));
    bob.device().history().seen(Talker.ROOM, Seq.ZERO, new Seq(1), Talker.NOW);
    bob.device().history().expire(Talker.NOW);
    assertThat(bob.texts()).containsExactly("secret");
    bob.device().history().expire(Talker.NOW.plusSeconds(1));
    assertThat(bob.texts()).isEmpty();
    assertThat(temp.resolve("18b").resolve("sealed.log"))
        .content(java.nio.charset.StandardCharsets.ISO_8859_1)
        .doesNotContain("secret");
  }

  @Test
  void noTextOfALineIsInWhatTheServerGets() {
    Outgoing outgoing = alice.prepare("canary-7f3a", both);
    assertThat(outgoing.payload().value()).doesNotContain("canary");
    assertThat(outgoing.envelopes())
        .allSatisfy(letter -> assertThat(letter.body().value()).doesNotContain("canary"));
  }

  @Test
  void theDigestIsThatOfTheProtocol() {
    // printf 7,12,100 | sha256sum
    List<RoomDevice> devices = List.of(place(100), place(7), place(12));
    assertThat(DeviceLists.digest(devices)).isEqualTo("5079eb1a1c72194e");
  }

  private KeyLetters keyLetters() {
    return alice.device().keyLetters(Talker.ROOM, List.of(both), Rotation.GROUP, Talker.NOW);
  }

  private static String session(Outgoing outgoing) {
    return SealedJson.foreign(outgoing.payload().value()).get("session_id").asText();
  }

  private RoomDevice place(long registration) {
    return new RoomDevice(
        alice.account(),
        alice.place.deviceId(),
        new io.confab.protocol.RegistrationId(registration));
  }

  private String payloadOf(String text) {
    Outgoing outgoing = alice.prepare(text, both);
    alice.device().forget(Talker.ROOM);
    return outgoing.payload().value();
  }

  private Talker add(Talker talker) {
    talkers.add(talker);
    return talker;
  }

  @Test
  void aLineThatIsShownIsNotRejectedForALetterBesideIt() {
    alice.say("one", both);
    bob.hear();
    Received.Envelope first = (Received.Envelope) server.queueAfter(bob.place, NONE).getFirst();
    Outgoing second = alice.prepare("two", both);
    server.put(
        bob.place,
        new Received.Envelope(
            server.next(bob.place),
            HonestServer.EPOCH,
            Talker.ROOM,
            new Seq(2),
            alice.account(),
            alice.place.deviceId(),
            second.clientId(),
            1,
            first.body(),
            second.payload(),
            null));
    assertThat(bob.hear()).containsExactly("two");
    assertThat(bob.device().toReject()).isEmpty();
  }
}
