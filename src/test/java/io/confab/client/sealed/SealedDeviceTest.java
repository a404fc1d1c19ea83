package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
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
    alice.device().refused(Talker.ROOM);
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
    bob.device().claimed(alice.account(), alice.place.deviceId(), server.claim(alice.place));
    LetterTo dummy = bob.device().letter(alice.place, "m.dummy", SealedJson.object());
    assertThat(bob.device().toClaim(List.of(both))).isEmpty();
    server.put(
        alice.place,
        new Received.Envelope(
            server.next(alice.place),
            HonestServer.EPOCH,
            null,
            null,
            bob.account(),
            bob.place.deviceId(),
            new ClientId("dummy"),
            1,
            dummy.body(),
            null,
            null));
    assertThat(alice.open()).hasOnlyElementsOfType(Opened.Taken.class);
    alice.say("four", both);
    assertThat(bob.hear()).containsExactly("four");
  }

  @Test
  void whatIsOverIsInNoFile() {
    alice.say("secret", both);
    Received.Envelope plain =
        (Received.Envelope) server.queueAfter(bob.place, new QueueSeq(0)).get(0);
    bob.device().open(List.of(Lie.about(plain).over(Talker.NOW.toEpochMilli() + 1_000).told()));
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
    assertThat(Sealing.digest(devices)).isEqualTo("5079eb1a1c72194e");
  }

  private RoomDevice place(long registration) {
    return new RoomDevice(
        alice.account(),
        alice.place.deviceId(),
        new io.confab.protocol.RegistrationId(registration));
  }

  private String payloadOf(String text) {
    Outgoing outgoing = alice.prepare(text, both);
    alice.device().refused(Talker.ROOM);
    return outgoing.payload().value();
  }

  private Talker add(Talker talker) {
    talkers.add(talker);
    return talker;
  }
}
