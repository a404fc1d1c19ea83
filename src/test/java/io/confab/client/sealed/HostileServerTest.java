package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that lies gets no key, and has nobody shown a line that was not written so.
class HostileServerTest {
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
  void aDeviceThatTheServerAddedIsToldOfAndGetsNoKey() {
    Talker added = add(Talker.unsigned(server, temp, 18, "added"));
    alice.ask(both);
    assertThat(alice.warnings)
        .containsExactly(new Warning(bob.account(), new DeviceId("added"), Doubt.UNSIGNED_DEVICE));
    Outgoing outgoing = alice.prepare("secret", both);
    assertThat(outgoing.envelopes()).extracting(LetterTo::device).containsExactly(bob.place);
    assertThat(server.send(alice.place, outgoing, List.of(both), 1)).isPresent();
    assertThat(added.open()).allMatch(opened -> isDropped(opened, Doubt.UNDECRYPTABLE));
    assertThat(bob.hear()).containsExactly("secret");
  }

  @Test
  void whatADeviceThatTheServerAddedWritesIsNotShown() {
    Talker added = add(Talker.unsigned(server, temp, 18, "added"));
    added.ask(both);
    added.say("I am Bob.", both);
    assertThat(alice.open())
        .singleElement()
        .isInstanceOfSatisfying(
            Opened.Held.class, held -> assertThat(held.doubt()).isEqualTo(Doubt.UNSIGNED_DEVICE));
    alice.ask(both);
    assertThat(alice.texts()).isEmpty();
  }

  @Test
  void aDeviceThatSomebodyElseSignedGetsNoKey() {
    Talker mallory = add(Talker.first(server, temp, 66, "m"));
    Talker added = add(Talker.unsigned(server, temp, 18, "added"));
    String foreign = signedBy(mallory, added);
    publishAs(added, foreign);
    alice.ask(both);
    assertThat(alice.warnings).extracting(Warning::doubt).containsExactly(Doubt.UNSIGNED_DEVICE);
    assertThat(alice.prepare("secret", both).envelopes())
        .extracting(LetterTo::device)
        .containsExactly(bob.place);
  }

  @Test
  void aLineOfADeviceThatIsSignedLaterWaitsForIt() {
    Talker second = add(Talker.unsigned(server, temp, 18, "second"));
    second.ask(both);
    second.say("From my new device.", both);
    assertThat(alice.hear()).isEmpty();
    publishAs(second, signedBy(bob, second));
    SealedDevice.Learned learned = alice.device().learn(List.of(server.query(bob.account())));
    assertThat(learned.shown()).extracting(SealedLine::text).containsExactly("From my new device.");
    assertThat(alice.texts()).containsExactly("From my new device.");
  }

  @Test
  void aSwappedIdentityGetsNoKeyAndShowsNothingBeforeItIsAccepted() {
    alice.say("before", both);
    server.remove(bob.place);
    Talker swapped = add(Talker.first(server, temp, 18, "swapped"));
    swapped.ask(both);
    alice.ask(both);
    assertThat(alice.warnings).contains(new Warning(bob.account(), null, Doubt.CHANGED_IDENTITY));
    assertThat(alice.device().trust(bob.account())).isEqualTo(Trust.CHANGED);
    Outgoing outgoing = alice.prepare("secret", both);
    assertThat(outgoing.envelopes()).isEmpty();
    Seq seq = server.send(alice.place, outgoing, List.of(both), 1).orElseThrow();
    alice.device().stored(Talker.ROOM, seq, 1, List.of(), false);
    assertThat(swapped.open()).allMatch(opened -> isDropped(opened, Doubt.UNDECRYPTABLE));
    swapped.say("I am Bob.", both);
    assertThat(alice.open())
        .last()
        .isInstanceOfSatisfying(
            Opened.Held.class, held -> assertThat(held.doubt()).isEqualTo(Doubt.CHANGED_IDENTITY));
    assertThat(alice.texts()).containsExactly("before", "secret");
    assertThat(alice.device().accept(bob.account()))
        .extracting(SealedLine::text)
        .containsExactly("I am Bob.");
    assertThat(alice.prepare("now", both).envelopes())
        .extracting(LetterTo::device)
        .containsExactly(swapped.place);
  }

  @Test
  void theIdentityOfTheOwnAccountIsNotLearntFromTheServer() {
    Talker own = add(Talker.first(server, temp, 30, "own"));
    Talker swapped = add(Talker.first(server, temp, 30, "swapped"));
    own.ask(own.account(), bob.account());
    assertThat(own.device().trust(own.account())).isEqualTo(Trust.CHANGED);
    assertThat(own.prepare("secret", own.account(), bob.account()).envelopes())
        .extracting(LetterTo::device)
        .containsExactly(bob.place)
        .doesNotContain(swapped.place);
  }

  @Test
  void aDeviceWithOtherKeysUnderItsOldNameGetsNoKey() {
    server.remove(bob.place);
    add(Talker.first(server, temp.resolve("other"), 18, "b"));
    alice.ask(both);
    assertThat(alice.warnings)
        .contains(new Warning(bob.account(), new DeviceId("b"), Doubt.CHANGED_DEVICE));
    assertThat(alice.prepare("secret", both).envelopes()).isEmpty();
  }

  @Test
  void anEnvelopeThatIsReplayedUnderANewNumberShowsNothing() {
    alice.say("one", both);
    alice.say("two", both);
    assertThat(bob.hear()).containsExactly("one", "two");
    for (Received received : server.queueAfter(bob.place, new QueueSeq(0))) {
      Received.Envelope envelope = (Received.Envelope) received;
      assertThat(bob.device().open(List.of(Lie.about(envelope).number(3).seq(3).told())))
          .hasSize(1);
      bob.device().goOn(HonestServer.EPOCH, new QueueSeq(3), true);
      assertThat(opened(bob, Lie.about(envelope).number(3).seq(4).told()))
          .matches(o -> isDropped(o, Doubt.REPLAYED));
      bob.device().goOn(HonestServer.EPOCH, new QueueSeq(3), true);
    }
    assertThat(bob.texts()).containsExactly("one", "two");
  }

  @Test
  void anEnvelopeThatIsReplayedInAnotherEpochShowsNothing() {
    alice.say("one", both);
    bob.hear();
    Received.Envelope first = envelope(bob, 0);
    assertThat(bob.device().open(List.of(Lie.about(first).epoch(2).told())))
        .singleElement()
        .isInstanceOf(Opened.Ahead.class);
    bob.device().goOn(new Epoch(2), new QueueSeq(1), true);
    assertThat(opened(bob, Lie.about(first).epoch(2).told()))
        .matches(o -> isDropped(o, Doubt.REPLAYED));
    assertThat(bob.texts()).containsExactly("one");
  }

  @Test
  void aLineThatWasSealedTwiceIsShownOnce() {
    Outgoing first = alice.prepare("one", both);
    assertThat(server.send(alice.place, first, List.of(both), 1)).isPresent();
    // The server said that it has nothing of it.
    alice.device().forget(Talker.ROOM);
    Outgoing second =
        alice
            .device()
            .prepare(
                Talker.ROOM,
                first.clientId(),
                "one",
                List.of(both),
                Rotation.GROUP,
                null,
                Talker.NOW);
    assertThat(second.payload()).isNotEqualTo(first.payload());
    assertThat(server.send(alice.place, second, List.of(both), 1)).isPresent();
    List<Opened> opened = bob.open();
    assertThat(Talker.shown(opened)).containsExactly("one");
    assertThat(opened.getLast()).matches(o -> isDropped(o, Doubt.REPLAYED));
  }

  @Test
  void linesOfADeviceThatComeInAnotherOrderAreNotShownSo() {
    alice.say("one", both);
    alice.say("Yes.", both);
    alice.say("No.", both);
    List<Opened> opened =
        bob.device()
            .open(
                List.of(
                    envelope(bob, 0),
                    Lie.about(envelope(bob, 2)).number(2).seq(2).told(),
                    Lie.about(envelope(bob, 1)).number(3).seq(3).told()));
    assertThat(Talker.shown(opened)).containsExactly("one", "No.");
    assertThat(opened.getLast())
        .isInstanceOfSatisfying(
            Opened.Held.class, held -> assertThat(held.doubt()).isEqualTo(Doubt.REORDERED));
    bob.ask(both);
    assertThat(bob.texts()).containsExactly("one", "No.");
  }

  @Test
  void aNumberThatIsLeftOutIsWaitedFor() {
    alice.say("one", both);
    alice.say("two", both);
    assertThat(bob.device().open(List.of(envelope(bob, 1))))
        .containsExactly(
            new Opened.Ahead(new QueueSeq(2), new Position(HonestServer.EPOCH, new QueueSeq(0))));
    assertThat(bob.hear()).containsExactly("one", "two");
  }

  @Test
  void aRenamedSenderIsNotShownAsTheOneThatTheServerNames() {
    Talker mallory = add(Talker.first(server, temp, 66, "m"));
    AccountId[] all = {both[0], both[1], mallory.account()};
    for (Talker talker : talkers) {
      talker.ask(all);
    }
    mallory.say("I owe you nothing.", all);
    Received.Envelope first = envelope(bob, 0);
    // With the key, which says who wrote it,
    assertThat(opened(bob, Lie.about(first).from(alice).told()))
        .matches(o -> isDropped(o, Doubt.OTHER_SENDER) && o.queueSeq().value() == 1);
    mallory.say("Still nothing.", all);
    // and where that came before.
    assertThat(opened(alice, envelope(alice, 0))).isInstanceOf(Opened.Shown.class);
    assertThat(opened(alice, Lie.about(envelope(alice, 1)).from(bob).told()))
        .matches(o -> isDropped(o, Doubt.OTHER_SENDER));
    assertThat(bob.texts()).isEmpty();
    assertThat(alice.texts()).containsExactly("I owe you nothing.");
  }

  @Test
  void anotherDeviceOfTheSenderIsNotTakenForTheOneThatWrote() {
    Talker second = add(Talker.unsigned(server, temp, 18, "second"));
    publishAs(second, signedBy(bob, second));
    bob.ask(both);
    bob.say("from b", both);
    assertThat(opened(alice, Lie.about(envelope(alice, 0)).from(second).told()))
        .matches(o -> isDropped(o, Doubt.OTHER_SENDER));
  }

  @Test
  void aLineIsNotShownInAnotherRoom() {
    RoomId other = new RoomId(6);
    alice.say("first", both);
    SenderKeys keys = new SenderKeys(new DeviceAccount(alice.account(), alice.place.deviceId()));
    ObjectNode key = alice.store().transact(changes -> keys.share(changes, Talker.ROOM));
    LetterTo letter =
        alice.device().letter(bob.place, "m.room_key", key.put("room_id", OlmNames.of(other)));
    alice.say("for this room", both);
    assertThat(opened(bob, envelope(bob, 0))).isInstanceOf(Opened.Shown.class);
    Received.Envelope line = envelope(bob, 1);
    assertThat(opened(bob, Lie.about(line).room(other).told()))
        .matches(o -> isDropped(o, Doubt.UNDECRYPTABLE));
    // Even if its writer uses one key in both.
    assertThat(
            opened(bob, Lie.about(line).room(other).body(letter.body().value()).number(3).told()))
        .matches(o -> isDropped(o, Doubt.OTHER_ROOM));
    assertThat(bob.device().history().last(other, 10)).isEmpty();
  }

  @Test
  void ofTwoLinesToWhichTheServerGivesOneNumberNoneIsLost() {
    alice.say("one", both);
    alice.say("two", both);
    bob.device().open(List.of(envelope(bob, 0), Lie.about(envelope(bob, 1)).seq(1).told()));
    assertThat(bob.texts()).containsExactlyInAnyOrder("one", "two");
  }

  @Test
  void anotherIdentityOfTheOwnAccountIsToldOfAndItsDevicesGetNoKey() {
    Talker swapped = add(Talker.first(server, temp, 17, "swapped"));
    alice.ask(both);
    assertThat(alice.warnings).contains(new Warning(alice.account(), null, Doubt.CHANGED_IDENTITY));
    assertThat(alice.prepare("secret", both).envelopes())
        .extracting(LetterTo::device)
        .containsExactly(bob.place)
        .doesNotContain(swapped.place);
  }

  @Test
  void aLetterToAnotherDeviceIsNoLetterToThisOne() {
    Talker carol = add(Talker.first(server, temp, 19, "c"));
    AccountId[] all = {both[0], both[1], carol.account()};
    alice.ask(all);
    alice.say("for both", all);
    Received.Envelope forCarol =
        (Received.Envelope) server.queueAfter(carol.place, new QueueSeq(0)).get(0);
    assertThat(opened(bob, forCarol)).matches(o -> isDropped(o, Doubt.OTHER_RECIPIENT));
  }

  @Test
  void aDeviceWithAZeroKeyGetsNoKey() {
    Talker added = add(Talker.unsigned(server, temp, 18, "added"));
    publishAs(added, zeroKey(added));
    alice.ask(both);
    assertThat(alice.warnings)
        .containsExactly(new Warning(bob.account(), new DeviceId("added"), Doubt.BAD_KEY));
    assertThat(alice.prepare("secret", both).envelopes())
        .extracting(LetterTo::device)
        .containsExactly(bob.place);
  }

  @Test
  void aDeviceWithRubbishKeysKeepsNobodyFromSending() {
    Talker added = add(Talker.unsigned(server, temp, 18, "added"));
    for (String identity : List.of("rubbish", "{}", zeroKey(added))) {
      publishAs(added, identity);
      alice.ask(both);
      Outgoing outgoing = alice.prepare("said", both);
      Seq seq = server.send(alice.place, outgoing, List.of(both), 1).orElseThrow();
      alice.device().stored(Talker.ROOM, seq, 1, List.of(), false);
    }
    assertThat(bob.hear()).hasSize(3);
    assertThat(added.open()).allMatch(opened -> isDropped(opened, Doubt.UNDECRYPTABLE));
  }

  @Test
  void neitherDoesADeviceOfAnotherSuiteNorOneWithOtherKeysThanBefore() {
    server.remove(bob.place);
    add(Talker.first(server, temp.resolve("other"), 18, "b"));
    KnownAccount known = server.query(bob.account());
    KnownDevice other = new KnownDevice(new DeviceId("z"), new RegistrationId(1_000), null);
    List<KnownDevice> devices = new ArrayList<>(known.devices());
    devices.add(other);
    SealedDevice.Learned learned =
        alice.device().learn(List.of(new KnownAccount(bob.account(), known.identity(), devices)));
    assertThat(learned.warnings())
        .contains(new Warning(bob.account(), other.deviceId(), Doubt.OTHER_SUITE));
    Outgoing outgoing = alice.prepare("said", both);
    assertThat(outgoing.devices())
        .isEqualTo(
            DeviceLists.digest(
                Stream.of(
                        new RoomDevice(bob.account(), new DeviceId("z"), new RegistrationId(1_000)),
                        alice.place,
                        new RoomDevice(
                            bob.account(),
                            new DeviceId("b"),
                            known.devices().getFirst().registrationId()))
                    .toList()));
    assertThat(outgoing.envelopes()).isEmpty();
  }

  @Test
  void whoIsAbsentFromAnAnswerHasNoDevicesToSendTo() {
    alice.device().learnAbsent(List.of(bob.account()));
    Outgoing outgoing = alice.prepare("alone", both);
    assertThat(outgoing.envelopes()).isEmpty();
    assertThat(server.send(alice.place, outgoing, List.of(alice.account()), 1)).isPresent();
  }

  @Test
  void aOneTimeKeyOfZerosBeginsNoSessionAndNeitherDoesOneThatIsNotSigned() {
    ObjectNode key = SealedJson.foreign(server.claim(bob.place).value());
    key.put("key", "A".repeat(43));
    assertThat(claimed(key)).isEqualTo(Doubt.BAD_SIGNATURE);
    // Even if the device itself signed it, as a hostile one would.
    Talker mallory = add(Talker.first(server, temp, 66, "m"));
    alice.ask(mallory.account());
    String signed = signed(mallory, SealedJson.object().put("key", "A".repeat(43)));
    assertThat(
            alice.device().claimed(mallory.account(), mallory.place.deviceId(), new Opaque(signed)))
        .hasValue(new Warning(mallory.account(), mallory.place.deviceId(), Doubt.BAD_KEY));
    assertThat(alice.device().toClaim(List.of(both[1], mallory.account())))
        .containsExactly(bob.place, mallory.place);
  }

  @Test
  void aLetterWithAZeroKeyInItIsNotOpened() {
    alice.say("one", both);
    Received.Envelope first = envelope(bob, 0);
    ObjectNode body = SealedJson.foreign(body(first).value());
    body.put("sender_key", "A".repeat(43));
    assertThat(opened(bob, Lie.about(first).body(SealedJson.write(body)).told()))
        .matches(o -> isDropped(o, Doubt.BAD_KEY));
    bob.device().goOn(HonestServer.EPOCH, new QueueSeq(1), true);
    assertThat(opened(bob, Lie.about(first).body(zeroRatchet(first)).told()))
        .matches(o -> isDropped(o, Doubt.BAD_KEY));
    bob.device().goOn(HonestServer.EPOCH, new QueueSeq(1), true);
    assertThat(bob.hear()).containsExactly("one");
  }

  @Test
  void rubbishIsDroppedAndTheQueueGoesOn() {
    alice.say("one", both);
    Received.Envelope first = envelope(bob, 0);
    List<Opened> opened = new ArrayList<>();
    List<String> rubbish =
        List.of("", "{}", "[]", "rubbish", "{\"algorithm\":1}", "{\"algorithm\":\"m.olm\"}");
    long seq = 0;
    for (String text : rubbish) {
      opened.add(opened(bob, Lie.about(first).body(text).number(++seq).told()));
      opened.add(opened(bob, Lie.about(first).body(null).payload(text).number(++seq).told()));
    }
    assertThat(opened).allMatch(Opened.Dropped.class::isInstance);
    assertThat(opened(bob, Lie.about(first).number(++seq).told())).isInstanceOf(Opened.Shown.class);
  }

  @Test
  void everyByteOfAnEnvelopeThatIsChangedShowsNothing() {
    alice.say("one", both);
    Received.Envelope first = envelope(bob, 0);
    String payload = Optional.ofNullable(first.payload()).orElseThrow().value();
    long seq = 0;
    // The key comes whole, so that the payload alone decides.
    assertThat(opened(bob, Lie.about(first).payload("{}").number(++seq).told()))
        .isInstanceOf(Opened.Dropped.class);
    int from = payload.indexOf("ciphertext") + 13;
    for (int at = from; at < payload.length() - 3; at += 7) {
      char other = payload.charAt(at) == 'A' ? 'B' : 'A';
      String changed = payload.substring(0, at) + other + payload.substring(at + 1);
      assertThat(opened(bob, Lie.about(first).body(null).payload(changed).number(++seq).told()))
          .as("changed at %d", at)
          .isInstanceOf(Opened.Dropped.class);
    }
    assertThat(opened(bob, Lie.about(first).body(null).number(++seq).told()))
        .isInstanceOf(Opened.Shown.class);
  }

  private Talker add(Talker talker) {
    talkers.add(talker);
    return talker;
  }

  private static Opened opened(Talker talker, Received received) {
    return talker.device().open(List.of(received)).getFirst();
  }

  private static Opaque body(Received.Envelope envelope) {
    return Optional.ofNullable(envelope.body()).orElseThrow();
  }

  private static boolean isDropped(Opened opened, Doubt doubt) {
    return opened instanceof Opened.Dropped dropped && dropped.doubt() == doubt;
  }

  private Received.Envelope envelope(Talker talker, int index) {
    return (Received.Envelope) server.queueAfter(talker.place, new QueueSeq(0)).get(index);
  }

  private @Nullable Doubt claimed(ObjectNode key) {
    return alice
        .device()
        .claimed(bob.account(), bob.place.deviceId(), new Opaque(SealedJson.write(key)))
        .map(Warning::doubt)
        .orElse(null);
  }

  /// The identity of a device with a signature by the account of somebody.
  private String signedBy(Talker signer, Talker device) {
    return signer
        .store()
        .transact(changes -> new OwnIdentity(device.account()).sign(changes, identityOf(device)))
        .orElseThrow()
        .json();
  }

  private static DeviceIdentity identityOf(Talker talker) {
    return DeviceIdentity.read(
        talker.account(),
        talker.place.deviceId(),
        talker.device().publication(50).identity().value());
  }

  private void publishAs(Talker talker, String identity) {
    server.sign(talker.place, new Opaque(identity));
  }

  private static String zeroKey(Talker talker) {
    return changed(
        talker, keys -> keys.put("curve25519:" + talker.place.deviceId(), "A".repeat(43)));
  }

  /// The identity of a device with other keys, which it signs itself.
  private static String changed(Talker talker, Consumer<ObjectNode> change) {
    ObjectNode json = SealedJson.foreign(identityOf(talker).json());
    json.remove("signatures");
    change.accept((ObjectNode) json.get("keys"));
    return signed(talker, json);
  }

  private static String signed(Talker talker, ObjectNode json) {
    talker
        .store()
        .change(
            changes ->
                new DeviceAccount(talker.account(), talker.place.deviceId())
                    .use(
                        changes,
                        keys -> {
                          SignedObject.sign(
                              json,
                              OlmNames.of(talker.account()),
                              OlmNames.ed25519(talker.place.deviceId()),
                              text -> keys.sign(text).getBase64());
                          return json;
                        }));
    return SealedJson.write(json);
  }

  /// The letter with a ratchet key of zeros, which stands in it as protobuf: field 1 of the message
  /// that field 4 of the outer one holds.
  private static String zeroRatchet(Received.Envelope envelope) {
    ObjectNode body = SealedJson.foreign(body(envelope).value());
    ObjectNode text = (ObjectNode) body.get("ciphertext").elements().next();
    byte[] message = Base64.getDecoder().decode(text.get("body").asText());
    for (int i = 0; i + 35 < message.length; i++) {
      if (message[i] == 0x03 && message[i + 1] == 0x0a && message[i + 2] == 0x20 && i > 0) {
        Arrays.fill(message, i + 3, i + 35, (byte) 0);
      }
    }
    text.put("body", Base64.getEncoder().withoutPadding().encodeToString(message));
    return SealedJson.write(body);
  }
}
