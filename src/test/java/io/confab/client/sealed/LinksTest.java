package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import de.connect2x.trixnity.vodozemac.megolm.GroupSession;
import de.connect2x.trixnity.vodozemac.megolm.MegolmSessionConfig;
import io.confab.client.sealed.LinkStep.Role;
import io.confab.client.sealed.LinkStep.Stage;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinksTest {
  private static final RoomId OTHER = new RoomId(6);
  private static final int BODY = 8_192;

  private Path temp;

  private Instant now = Talker.NOW;
  private HonestServer server;
  private Talker old;
  private Talker ben;
  private Talker fresh;
  private final List<Opaque> sent = new ArrayList<>();
  private Predicate<LetterTo> keeps = _ -> false;

  @BeforeEach
  void start(@TempDir Path folder) {
    temp = folder;
    server = new HonestServer();
    old = Talker.first(server, temp, 11, "phone");
    ben = Talker.first(server, temp, 12, "desk");
    fresh = Talker.unsigned(server, temp, 11, "laptop");
    for (Talker one : List.of(old, ben, fresh)) {
      one.ask(old.account(), ben.account());
    }
  }

  @AfterEach
  void stop() {
    List.of(old, ben, fresh).forEach(Talker::close);
  }

  private void send(Talker from, List<LetterTo> letters) {
    for (LetterTo letter : letters) {
      sent.add(letter.body());
      if (!keeps.test(letter)) {
        server.now = now;
        server.sendLoose(from.place, List.of(letter));
      }
    }
  }

  /// What a device is told of what waits for it; it answers.
  private List<LinkStep> hear(Talker one) {
    one.open();
    List<LinkStep> steps = new ArrayList<>();
    for (Note note : one.device().inbox()) {
      one.device().links().take(note, now).ifPresent(steps::add);
    }
    assertThat(steps).allMatch(step -> step.role() == (one == old ? Role.OLD : Role.NEW));
    steps.forEach(step -> send(one, step.letters()));
    send(one, one.device().links().answers());
    return steps;
  }

  private static List<Stage> stages(List<LinkStep> steps) {
    return steps.stream().map(LinkStep::stage).toList();
  }

  private LinkCode offer() {
    Links links = fresh.device().links();
    for (RoomDevice with : links.others()) {
      if (!links.canAsk(with)) {
        fresh.device().claimed(with.accountId(), with.deviceId(), server.claim(with));
      }
    }
    Links.Offer offer = links.offer(links.others(), now);
    send(fresh, offer.letters());
    return offer.code();
  }

  private LinkStep type(LinkCode code) {
    LinkStep step = old.device().links().type(code, now).orElseThrow();
    assertThat(step.role()).isEqualTo(Role.OLD);
    send(old, step.letters());
    return step;
  }

  /// Both have the code, and the person said yes.
  private void agree() {
    LinkCode code = offer();
    assertThat(stages(hear(old))).containsExactly(Stage.OFFERED);
    assertThat(type(code).stage()).isEqualTo(Stage.TYPED);
    assertThat(stages(hear(fresh))).containsExactly(Stage.PROVEN);
    assertThat(stages(hear(old))).containsExactly(Stage.PROVEN);
    assertThat(old.device().links().decide(true, now).orElseThrow().stage())
        .isEqualTo(Stage.MOVING);
  }

  private void give() {
    for (Optional<LetterTo> piece = next(); piece.isPresent(); piece = next()) {
      send(old, List.of(piece.get()));
    }
  }

  /// The new device has the identity, and said so.
  private void join() {
    agree();
    give();
    assertThat(stages(hear(fresh))).endsWith(Stage.JOINED);
    hear(old);
  }

  private Optional<LetterTo> next() {
    return old.device().links().next();
  }

  /// Gives all of it; answers what each of the two was told last.
  private List<LinkStep> move() {
    List<LinkStep> last = List.of();
    for (int i = 0; i < 400; i++) {
      give();
      List<LinkStep> there = hear(fresh);
      List<LinkStep> here = hear(old);
      if (there.stream().anyMatch(LinkStep::isLast)) {
        return List.of(there.getLast(), here.getLast());
      }
      if (there.isEmpty() && here.isEmpty()) {
        break;
      }
      last = there;
    }
    throw new AssertionError("stands still after " + last);
  }

  private void keep(Talker on, RoomId room, int count, String text) {
    on.store()
        .change(
            changes -> {
              for (int i = 1; i <= count; i++) {
                new Lines(new Pins())
                    .keep(changes, line(room, i, text + " " + i), identity(changes));
              }
            });
  }

  private DeviceIdentity identity(Changes changes) {
    return new Pins().device(changes, ben.account(), ben.place.deviceId()).orElseThrow();
  }

  private SealedLine line(RoomId room, int number, String text) {
    return new SealedLine(
        room,
        new Seq(number),
        ben.account(),
        ben.place.deviceId(),
        new ClientId(room + "-" + number),
        Talker.NOW.toEpochMilli() + number,
        text,
        null,
        null,
        null);
  }

  /// What the new device publishes then is at the server.
  private void upload() {
    server.sign(fresh.place, fresh.device().dueSignature().orElseThrow());
    for (Talker one : List.of(old, ben, fresh)) {
      one.ask(old.account(), ben.account());
    }
  }

  @Test
  void theNewDeviceReadsWhatWasSaidAndGoesOn() {
    ben.say("one", old.account(), ben.account());
    old.hear();
    old.say("two", old.account(), ben.account());
    agree();
    List<LinkStep> ends = move();
    assertThat(stages(ends)).containsExactly(Stage.DONE, Stage.DONE);
    assertThat(ends).allMatch(end -> end.lines() == 2 && end.all() == 2);
    assertThat(fresh.texts()).containsExactly("one", "two");
    assertThat(fresh.device().isSigned()).isTrue();
    upload();

    ben.hear();
    fresh.say("three", old.account(), ben.account());
    assertThat(ben.hear()).containsExactly("three");
    assertThat(old.hear()).containsExactly("three");
    ben.say("four", old.account(), ben.account());
    assertThat(fresh.hear()).containsExactly("four");
    assertThat(fresh.texts()).containsExactly("one", "two", "three", "four");
    assertThat(ben.device().trust(old.account())).isEqualTo(Trust.PINNED);
    assertThat(fresh.device().history().seal(Talker.ROOM)).isPresent();
  }

  /// Nobody sealed it for a device that was not signed, so no session is broken.
  @Test
  void ofWhatCouldNotBeOpenedBeforeNothingIsToBeMended() {
    ben.say("one", old.account(), ben.account());
    assertThat(fresh.open()).hasOnlyElementsOfType(Opened.Dropped.class);
    old.hear();
    agree();
    move();
    upload();
    for (RoomDevice to : fresh.device().toClaim(List.of(ben.account()))) {
      fresh.device().claimed(to.accountId(), to.deviceId(), server.claim(to));
    }
    assertThat(fresh.device().toTell()).isEmpty();
  }

  @Test
  void allPeopleAndRoomsComeAlongAlsoWhereAVaultHasNoPlaceForThem() {
    old.store()
        .change(
            changes -> {
              for (int i = 0; i < 3 * Belongings.MOST_PINS; i++) {
                AccountId one = new AccountId(4_000_000_000_000_000_000L + i);
                new Pins().vouch(changes, new Pinned(one, "M".repeat(43), i % 2 == 0));
              }
            });
    for (int i = 0; i < 2 * Belongings.MOST_ROOMS; i++) {
      RoomId room = new RoomId(4_000_000_000_000_000_000L + i);
      old.device().history().sealed(room, new KnownSeal("olm1", new Seq(i + 1)));
    }
    agree();
    assertThat(stages(move())).containsExactly(Stage.DONE, Stage.DONE);
    assertThat(fresh.store().transact(new Pins()::pinned))
        .containsAll(old.store().transact(new Pins()::pinned));
    for (int i = 0; i < 2 * Belongings.MOST_ROOMS; i++) {
      RoomId room = new RoomId(4_000_000_000_000_000_000L + i);
      assertThat(fresh.device().history().seal(room))
          .contains(new KnownSeal("olm1", new Seq(i + 1)));
    }
  }

  /// It may have accepted somebody that the other one has not.
  @Test
  void whoHadTheIdentityKeepsWhatItKnowsOfPeople() {
    agree();
    move();
    AccountId someone = new AccountId(4_000_000_000_000_000_000L);
    old.store()
        .change(
            changes -> {
              for (int i = 0; i <= Belongings.MOST_PINS; i++) {
                AccountId one = new AccountId(someone.value() + i);
                new Pins().vouch(changes, new Pinned(one, "M".repeat(43), true));
              }
            });
    agree();
    move();
    assertThat(fresh.device().trust(someone)).isEqualTo(Trust.NONE);
  }

  /// Said while the person had not said yes yet.
  @Test
  void aKeyThatCameWhileTheDeviceWasNotSignedComesAlong() {
    agree();
    give();
    ben.say("meanwhile", old.account(), ben.account());
    old.hear();
    assertThat(stages(hear(fresh))).endsWith(Stage.JOINED);
    hear(old);
    move();
    ben.device().forget(Talker.ROOM);
    Outgoing under = ben.prepare("under the same key", old.account(), ben.account());
    assertThat(server.send(ben.place, under, List.of(old.account(), ben.account()), 5)).isPresent();
    assertThat(fresh.hear()).containsExactly("under the same key");
  }

  @Test
  void ofKeysTheNewestGoFirst() {
    for (int i = 0; i < 3; i++) {
      RoomId room = new RoomId(20 + i);
      long ts = List.of(5L, 9L, 7L).get(i);
      old.store()
          .change(changes -> new ReceivedKeys().keep(changes, null, me(changes), key(room), ts));
    }
    assertThat(old.store().transact(new ReceivedKeys()::newest))
        .extracting(name -> name.split("/", 3)[1])
        .startsWith(new RoomId(21).toString(), new RoomId(22).toString())
        .endsWith(new RoomId(20).toString());
  }

  private DeviceIdentity me(Changes changes) {
    return new DeviceAccount(old.account(), old.place.deviceId()).identity(changes);
  }

  /// A key as a device gives it.
  private static ObjectNode key(RoomId room) {
    try (GroupSession session = GroupSession.Companion.invoke(MegolmSessionConfig.Companion.v1());
        var key = session.getSessionKey()) {
      ObjectNode content = SealedJson.object().put("algorithm", OlmNames.MEGOLM);
      content.put("room_id", OlmNames.of(room)).put("session_id", session.getSessionId());
      return content.put("session_key", key.getBase64());
    }
  }

  /// A line whose key was told before the new device was there.
  @Test
  void keysThatOthersGaveComeAlong() {
    ben.say("one", old.account(), ben.account());
    old.hear();
    agree();
    move();
    ben.device().forget(Talker.ROOM);
    Outgoing under = ben.prepare("under the same key", old.account(), ben.account());
    assertThat(under.envelopes()).isEmpty();
    assertThat(server.send(ben.place, under, List.of(old.account(), ben.account()), 5)).isPresent();
    assertThat(fresh.hear()).containsExactly("under the same key");
  }

  @Test
  void allOfALongHistoryComesInLettersThatFitAndThoseSaidMeanwhileToo() {
    keep(old, Talker.ROOM, 3_000, "what was said");
    keep(old, OTHER, 2_000, "elsewhere");
    join();
    give();
    keep(old, OTHER, 2_100, "elsewhere");
    List<LinkStep> ends = move();
    assertThat(ends).allMatch(end -> end.lines() == 5_100 && end.all() == 5_100);
    assertThat(fresh.texts()).isEqualTo(old.texts());
    assertThat(fresh.device().history().last(OTHER, 5_000)).hasSize(2_100);
    assertThat(sent.stream().mapToInt(body -> body.value().length()).max().orElseThrow())
        .isLessThan(BODY);
  }

  @Test
  void aLineThatIsLargerThanALetterComesInPieces() {
    byte[] noise = new byte[12_000];
    RandomGenerator.getDefault().nextBytes(noise);
    String large = new String(noise, StandardCharsets.ISO_8859_1);
    keep(old, OTHER, 3, large);
    agree();
    move();
    assertThat(fresh.device().history().last(OTHER, 9))
        .hasSize(3)
        .first()
        .extracting(SealedLine::text)
        .isEqualTo(large + " 1");
    assertThat(sent.stream().mapToInt(body -> body.value().length()).max().orElseThrow())
        .isLessThan(BODY);
  }

  @Test
  void noMoreIsOnItsWayThanTheNewDeviceTook() {
    keep(old, Talker.ROOM, 20_000, "what was said");
    join();
    for (int i = 0; i < LinkGiving.WINDOW; i++) {
      assertThat(next()).isPresent();
    }
    assertThat(next()).isEmpty();
  }

  @Test
  void theWrongCodeGivesNothingAndEndsTheRightOneToo() {
    LinkCode code = offer();
    hear(old);
    type(LinkCode.make(new SecureRandom()));
    assertThat(stages(hear(fresh))).containsExactly(Stage.WRONG_CODE);
    assertThat(stages(hear(old))).containsExactly(Stage.WRONG_CODE);
    assertThat(old.device().links().type(code, now)).isEmpty();
    assertThat(old.device().links().decide(true, now)).isEmpty();
    assertThat(next()).isEmpty();
    assertThat(fresh.device().recovery().hasIdentity()).isFalse();
  }

  @Test
  void afterThreeWrongCodesNoneIsTakenForAWhile() {
    for (int i = 0; i < Links.TRIES; i++) {
      offer();
      hear(old);
      type(LinkCode.make(new SecureRandom()));
      hear(fresh);
      hear(old);
    }
    assertThat(old.device().links().isLocked(now)).isTrue();
    LinkCode code = offer();
    assertThat(hear(old)).isEmpty();
    assertThat(old.device().links().type(code, now)).isEmpty();
    now = now.plus(Duration.ofMinutes(10));
    assertThat(old.device().links().isLocked(now)).isFalse();
    agree();
  }

  @Test
  void aCodeIsOverAfterTenMinutesOnBothSides() {
    LinkCode code = offer();
    hear(old);
    Instant begun = now;
    now = begun.plus(Duration.ofMinutes(10));
    assertThat(old.device().links().type(code, now)).isEmpty();
    assertThat(stages(fresh.device().links().endOverdue(now))).containsExactly(Stage.TOO_LATE);
    now = begun;
    LinkCode other = offer();
    hear(old);
    type(other);
    now = begun.plus(Duration.ofMinutes(10));
    assertThat(hear(fresh)).isEmpty();
    assertThat(stages(old.device().links().endOverdue(now))).containsExactly(Stage.TOO_LATE);
  }

  /// As what waited while the old device was off.
  @Test
  void aRequestThatIsOverWhenItComesIsNone() {
    LinkCode code = offer();
    now = now.plus(Duration.ofMinutes(9));
    old.open();
    now = now.plus(Duration.ofMinutes(1));
    assertThat(hear(old)).isEmpty();
    assertThat(old.device().links().type(code, now)).isEmpty();
  }

  @Test
  void theTimeOfACodeBeginsWhereTheServerTookItAndNotWhereItCame() {
    LinkCode code = offer();
    now = now.plus(Duration.ofMinutes(9));
    assertThat(stages(hear(old))).containsExactly(Stage.OFFERED);
    now = now.plus(Duration.ofMinutes(1));
    assertThat(old.device().links().type(code, now)).isEmpty();
  }

  @Test
  void whoAnswersACodeThatIsOverIsToldSo() {
    LinkCode code = offer();
    hear(old);
    now = now.plus(Duration.ofMinutes(10)).minusSeconds(1);
    type(code);
    now = now.plusSeconds(1);
    assertThat(hear(fresh)).isEmpty();
    assertThat(stages(hear(old))).containsExactly(Stage.LEFT);
    assertThat(old.device().links().nextEnd()).isEmpty();
  }

  @Test
  void whatIsTooLateIsExpectedNoMore() {
    keep(old, OTHER, 3, "short");
    join();
    Optional<LetterTo> piece = next();
    now = now.plus(Duration.ofMinutes(10));
    assertThat(stages(fresh.device().links().endOverdue(now))).containsExactly(Stage.TOO_LATE);
    assertThat(fresh.device().links().isExpecting()).isFalse();
    send(old, List.of(piece.orElseThrow()));
    assertThat(hear(fresh)).isEmpty();
  }

  @Test
  void withoutThePersonsYesNothingIsGiven() {
    LinkCode code = offer();
    hear(old);
    type(code);
    assertThat(old.device().links().decide(true, now)).isEmpty();
    hear(fresh);
    hear(old);
    assertThat(next()).isEmpty();
    LinkStep no = old.device().links().decide(false, now).orElseThrow();
    send(old, no.letters());
    assertThat(stages(hear(fresh))).containsExactly(Stage.LEFT);
    assertThat(old.device().links().decide(true, now)).isEmpty();
  }

  /// The server puts a device of its own under the account and lets it ask.
  @Test
  void aDeviceOfTheServersThatDoesNotHaveTheCodeGetsNothing() {
    LinkCode code = offer();
    try (Talker false11 = Talker.unsigned(server, temp, 11, "evil")) {
      for (Talker one : List.of(old, false11)) {
        one.ask(old.account());
      }
      Talker real = fresh;
      fresh = false11;
      offer();
      assertThat(stages(hear(old))).containsExactly(Stage.OFFERED, Stage.OFFERED);
      type(code);
      assertThat(stages(hear(false11))).containsExactly(Stage.WRONG_CODE);
      fresh = real;
    }
    assertThat(hear(old)).isEmpty();
    assertThat(old.device().links().decide(true, now)).isEmpty();
    assertThat(stages(hear(fresh))).containsExactly(Stage.PROVEN);
    assertThat(hear(old)).extracting(LinkStep::with).containsExactly(fresh.place);
    assertThat(old.device().links().decide(true, now)).map(LinkStep::with).contains(fresh.place);
    move();
  }

  @Test
  void whoAsksAgainIsToldOfOnceAndItsLastCodeIsGood() {
    offer();
    assertThat(stages(hear(old))).containsExactly(Stage.OFFERED);
    LinkCode code = offer();
    assertThat(hear(old)).isEmpty();
    type(code);
    assertThat(stages(hear(fresh))).containsExactly(Stage.PROVEN);
    offer();
    assertThat(stages(hear(old))).contains(Stage.OFFERED);
    now = now.plus(Duration.ofMinutes(10));
    offer();
    assertThat(stages(hear(old))).containsExactly(Stage.OFFERED);
  }

  @Test
  void aFewDevicesMayAskAtOnceAndTheFirstOfThemIsNotForgotten() {
    LinkCode code = offer();
    Talker real = fresh;
    List<Talker> others = new ArrayList<>();
    for (int i = 0; i < LinkGiving.MOST_ASKING; i++) {
      fresh = Talker.unsigned(server, temp, 11, "evil" + i);
      others.add(fresh);
      List.of(old, fresh).forEach(one -> one.ask(old.account()));
      offer();
    }
    fresh = real;
    assertThat(hear(old))
        .hasSize(LinkGiving.MOST_ASKING)
        .allMatch(step -> step.stage() == Stage.OFFERED);
    assertThat(type(code).letters()).hasSize(LinkGiving.MOST_ASKING);
    assertThat(stages(hear(fresh))).containsExactly(Stage.PROVEN);
    assertThat(stages(hear(old))).containsExactly(Stage.PROVEN);
    others.forEach(Talker::close);
  }

  @Test
  void aCodeOfNoneThatAskedIsWrongOnceAllHaveSaidSo() {
    offer();
    try (Talker second = Talker.unsigned(server, temp, 11, "second")) {
      List.of(old, second).forEach(one -> one.ask(old.account()));
      Talker first = fresh;
      fresh = second;
      offer();
      hear(old);
      type(LinkCode.make(new SecureRandom()));
      hear(first);
      assertThat(hear(old)).isEmpty();
      hear(second);
      fresh = first;
    }
    assertThat(stages(hear(old))).containsExactly(Stage.WRONG_CODE);
  }

  /// It says that it has the proof, and that it is the one that was asked for.
  @Test
  void aFalseProofEndsIt() {
    LinkCode code = offer();
    hear(old);
    LinkStep typed = type(code);
    fresh.open();
    Note accept = fresh.device().inbox().getFirst();
    ObjectNode proof = SealedJson.object().put("proof", "AAAA");
    proof.put("id", accept.content().get("id").textValue());
    send(fresh, List.of(fresh.device().letter(old.place, "confab.link.proof", proof)));
    assertThat(typed.with()).isEqualTo(fresh.place);
    assertThat(stages(hear(old))).containsExactly(Stage.WRONG_CODE);
    assertThat(old.device().links().decide(true, now)).isEmpty();
  }

  @Test
  void nothingIsTakenOfADeviceThatDidNotProveTheCode() {
    keep(old, Talker.ROOM, 3, "false");
    offer();
    hear(old);
    for (String id : List.of("unknown", fresh.device().inbox().toString())) {
      ObjectNode piece = SealedJson.object().put("id", id).put("n", 0).put("end", true);
      send(old, List.of(old.device().letter(fresh.place, "confab.link.piece", piece)));
    }
    assertThat(hear(fresh)).isEmpty();
    assertThat(fresh.device().recovery().hasIdentity()).isFalse();
  }

  /// Each of these pieces can be read without the others.
  @Test
  void aPieceThatIsMissingEndsItAlsoWhereTheNextOneCouldBeRead() {
    keep(old, OTHER, 1_000, "short");
    join();
    int[] number = {0};
    keeps = letter -> letter.device().hasNameOf(fresh.place) && ++number[0] == 5;
    give();
    assertThat(stages(hear(fresh))).contains(Stage.MOVING).endsWith(Stage.BROKEN);
    int kept = fresh.device().history().last(OTHER, 2_000).size();
    assertThat(kept).isBetween(1, 999);
    hear(old);
    assertThat(next()).isEmpty();
    agree();
    move();
    assertThat(fresh.device().history().last(OTHER, 2_000)).hasSize(1_000);
  }

  @Test
  void aPieceThatComesAgainIsPassedOver() {
    keep(old, OTHER, 1_000, "short");
    join();
    Optional<LetterTo> piece = next();
    send(old, List.of(piece.orElseThrow()));
    fresh.open();
    Note first = fresh.device().inbox().getFirst();
    assertThat(fresh.device().links().take(first, now)).isPresent();
    LetterTo again = old.device().letter(fresh.place, first.type(), first.content());
    send(old, List.of(again));
    assertThat(hear(fresh)).isEmpty();
    assertThat(stages(move())).containsExactly(Stage.DONE, Stage.DONE);
    assertThat(fresh.device().history().last(OTHER, 2_000)).hasSize(1_000);
  }

  @Test
  void theFirstAnswerToACodeIsTheLast() {
    LinkCode code = offer();
    old.open();
    Note start = old.device().inbox().getFirst();
    String id = start.content().get("id").textValue();
    hear(old);
    type(LinkCode.make(new SecureRandom()));
    assertThat(stages(hear(fresh))).containsExactly(Stage.WRONG_CODE);
    LinkSecret secret =
        old.store()
            .transact(
                changes ->
                    new LinkSecret(
                        code,
                        id,
                        new Pins()
                            .device(changes, fresh.account(), fresh.place.deviceId())
                            .orElseThrow(),
                        new DeviceAccount(old.account(), old.place.deviceId()).identity(changes),
                        false));
    LinkSecret.Proofs proofs = secret.proofs(start.content().get("share").textValue());
    ObjectNode accept = SealedJson.object().put("id", id);
    accept.put("share", secret.share()).put("proof", proofs.old());
    send(old, List.of(old.device().letter(fresh.place, "confab.link.accept", accept)));
    assertThat(hear(fresh)).isEmpty();
  }

  /// The server tells the new device of another signing key of the old one.
  @Test
  void whoSeesOtherKeysHasOtherProofs() {
    LinkCode code = LinkCode.make(new SecureRandom());
    DeviceIdentity one = old.store().transact(this::identity);
    DeviceIdentity other =
        new DeviceIdentity(one.account(), one.device(), one.curve25519(), "other", one.json());
    DeviceIdentity device = new DeviceIdentity(old.account(), old.place.deviceId(), "c", "e", "{}");
    for (boolean fresher : List.of(true, false)) {
      LinkSecret here = new LinkSecret(code, "id", one, device, true);
      LinkSecret there =
          fresher
              ? new LinkSecret(code, "id", other, device, false)
              : new LinkSecret(
                  code,
                  "id",
                  one,
                  new DeviceIdentity(device.account(), device.device(), "x", "e", "{}"),
                  false);
      assertThat(here.proofs(there.share())).isNotEqualTo(there.proofs(here.share()));
    }
    LinkSecret here = new LinkSecret(code, "id", one, device, true);
    LinkSecret there = new LinkSecret(code, "id", one, device, false);
    assertThat(here.proofs(there.share())).isEqualTo(there.proofs(here.share()));
  }

  @Test
  void ofPiecesThatTheServerKeepsBackWhatFollowsIsNotTaken() {
    byte[] noise = new byte[12_000];
    RandomGenerator.getDefault().nextBytes(noise);
    keep(old, OTHER, 3, new String(noise, StandardCharsets.ISO_8859_1));
    join();
    int[] number = {0};
    keeps = letter -> letter.device().hasNameOf(fresh.place) && ++number[0] == 4;
    give();
    List<LinkStep> steps = hear(fresh);
    assertThat(steps.getLast().stage()).isEqualTo(Stage.BROKEN);
    assertThat(steps).filteredOn(step -> step.stage() == Stage.BROKEN).hasSize(1);
    assertThat(fresh.device().history().last(OTHER, 9)).hasSizeLessThan(3);
    assertThat(stages(hear(old))).contains(Stage.LEFT);
    assertThat(next()).isEmpty();
  }

  @Test
  void aDeviceThatIsKilledInTheMidstGoesOnWhereItWas() {
    keep(old, Talker.ROOM, 4_000, "what was said");
    join();
    give();
    hear(fresh);
    fresh.restart();
    hear(old);
    List<LinkStep> ends = move();
    assertThat(stages(ends)).containsExactly(Stage.DONE, Stage.DONE);
    assertThat(fresh.texts()).isEqualTo(old.texts());
  }

  /// It was killed before anybody was told what it took.
  @Test
  void aDeviceThatIsKilledBeforeItSaysThatItJoinedSaysSoThen() {
    keep(old, OTHER, 3, "short");
    agree();
    give();
    keeps = letter -> letter.device().hasNameOf(old.place);
    assertThat(stages(hear(fresh))).endsWith(Stage.JOINED);
    fresh.restart();
    keeps = _ -> false;
    hear(old);
    assertThat(next()).isEmpty();
    assertThat(fresh.device().links().isExpecting()).isTrue();
    send(fresh, List.of(fresh.device().links().resume(now).orElseThrow()));
    assertThat(fresh.device().links().nextEnd()).isPresent();
    hear(old);
    assertThat(stages(move())).containsExactly(Stage.DONE, Stage.DONE);
    assertThat(fresh.device().history().last(OTHER, 9)).hasSize(3);
  }

  @Test
  void whoTookAllSaysSoUntilTheServerHasThat() {
    join();
    give();
    keeps = letter -> letter.device().hasNameOf(old.place);
    assertThat(stages(hear(fresh))).endsWith(Stage.DONE);
    fresh.restart();
    keeps = _ -> false;
    assertThat(hear(old)).isEmpty();
    assertThat(fresh.device().links().isExpecting()).isTrue();
    send(fresh, List.of(fresh.device().links().resume(now).orElseThrow()));
    assertThat(stages(hear(old))).containsExactly(Stage.DONE);
    assertThat(fresh.device().links().nextEnd()).isEmpty();
    fresh.device().links().told();
    assertThat(fresh.device().links().isExpecting()).isFalse();
    assertThat(fresh.device().links().resume(now)).isEmpty();
  }

  @Test
  void afterTheOldDeviceWasKilledAllOfItComesOnceWithAnotherCode() {
    keep(old, Talker.ROOM, 6_000, "what was said by " + RandomGenerator.getDefault().nextLong());
    join();
    give();
    hear(fresh);
    assertThat(fresh.device().history().last(Talker.ROOM, 9_000)).isNotEmpty();
    assertThat(fresh.device().recovery().hasIdentity()).isTrue();
    old.restart();
    hear(old);
    assertThat(next()).isEmpty();
    agree();
    move();
    assertThat(fresh.device().history().last(Talker.ROOM, 9_000))
        .hasSize(6_000)
        .isEqualTo(old.device().history().last(Talker.ROOM, 9_000));
  }

  @Test
  void whereTheServerTellsOfAnotherIdentityNothingIsTaken() {
    agree();
    try (Talker false11 = Talker.first(new HonestServer(), temp.resolve("false"), 11, "phone")) {
      server.identity(old.account(), false11.device().ownIdentity().orElseThrow());
    }
    fresh.ask(old.account());
    give();
    assertThat(stages(hear(fresh))).containsExactly(Stage.OTHER_IDENTITY);
    assertThat(fresh.device().recovery().hasIdentity()).isFalse();
  }

  @Test
  void linesKeepTheirLifetimesAndThoseThatAreHeldStay() {
    old.store()
        .change(
            changes -> {
              Lines lines = new Lines(new Pins());
              SealedLine plain = line(OTHER, 1, "unseen");
              lines.keep(changes, with(plain, 1, 60, null, null), identity(changes));
              lines.keep(changes, with(plain, 2, 60, 500_000L, null), identity(changes));
              lines.keep(
                  changes, with(plain, 3, null, null, Doubt.UNSIGNED_DEVICE), identity(changes));
            });
    agree();
    move();
    History history = fresh.device().history();
    assertThat(history.last(OTHER, 9))
        .extracting(SealedLine::seq)
        .containsExactly(new Seq(1), new Seq(2));
    assertThat(history.expire(now)).extracting(SealedLine::seq).containsExactly(new Seq(2));
    history.seen(OTHER, new Seq(1), new Seq(3), now);
    assertThat(history.nextExpiry()).contains(now.plusSeconds(60));
    agree();
    move();
    assertThat(history.last(OTHER, 9))
        .extracting(SealedLine::expiresAt)
        .containsExactly(now.plusSeconds(60).toEpochMilli());
  }

  private static SealedLine with(
      SealedLine line,
      int number,
      @Nullable Integer lasts,
      @Nullable Long end,
      @Nullable Doubt held) {
    return new SealedLine(
        line.roomId(),
        new Seq(number),
        line.senderId(),
        line.senderDeviceId(),
        new ClientId("l" + number),
        line.ts(),
        line.text(),
        lasts,
        end,
        held);
  }

  @Test
  void aDeviceWithoutTheIdentityGivesNothing() {
    try (Talker other = Talker.unsigned(server, temp, 11, "other")) {
      for (Talker one : List.of(fresh, other)) {
        one.ask(old.account());
      }
      fresh.device().claimed(other.account(), new DeviceId("other"), server.claim(other.place));
      ObjectNode start = SealedJson.object().put("id", "x").put("share", "AAAA");
      send(fresh, List.of(fresh.device().letter(other.place, "confab.link.start", start)));
      assertThat(hear(other)).isEmpty();
    }
    assertThat(fresh.device().links().others()).containsExactly(old.place);
  }

  @Test
  void codesAreReadHoweverTheyAreTypedAndMostSlipsAreTold() {
    LinkCode code = offer();
    assertThat(code.text()).matches("[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}");
    assertThat(LinkCode.read(code.text().toLowerCase(Locale.ROOT).replace('-', ' ')))
        .map(LinkCode::text)
        .contains(code.text());
    assertThat(LinkCode.read(code.text().substring(1))).isEmpty();
    assertThat(LinkCode.read("")).isEmpty();
    assertThat(code).hasToString("***");
    long told =
        "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
            .chars()
            .filter(letter -> LinkCode.read((char) letter + code.text().substring(1)).isEmpty())
            .count();
    assertThat(told).isGreaterThan(24);
  }
}
