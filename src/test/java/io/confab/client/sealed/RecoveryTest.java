package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
  private static final Instant NOW = Talker.NOW;
  private static final RoomId QUIET = new RoomId(77);

  private Path temp;

  private HonestServer server;
  private Talker ann;
  private Talker ben;
  private Talker fresh;

  @BeforeEach
  void start(@TempDir Path folder) {
    temp = folder;
    server = new HonestServer();
    ann = Talker.first(server, temp, 11, "phone");
    ben = Talker.first(server, temp, 12, "desk");
    for (Talker one : List.of(ann, ben)) {
      one.ask(ann.account(), ben.account());
    }
    fresh = Talker.unsigned(server, temp, 11, "laptop");
    fresh.ask(ann.account());
  }

  @AfterEach
  void stop() {
    List.of(ann, ben, fresh).forEach(Talker::close);
  }

  @Test
  void whoIsNotSignedIsNotWarnedOfItselfAndTheOthersAre() {
    fresh.ask(fresh.account());
    ann.ask(ann.account());
    Warning unsigned = new Warning(fresh.account(), fresh.place.deviceId(), Doubt.UNSIGNED_DEVICE);
    assertThat(ann.warnings).contains(unsigned);
    assertThat(fresh.warnings).doesNotContain(unsigned);
  }

  private Recovery.Made made() {
    return ann.device().recovery().make(NOW).orElseThrow();
  }

  private Recovered open(Recovery.Made made) {
    return fresh.device().recovery().open(made.key(), made.vault());
  }

  private static Opaque changed(Opaque vault, UnaryOperator<ObjectNode> change) {
    return new Opaque(SealedJson.write(change.apply(SealedJson.foreign(vault.value()))));
  }

  /// What the device that recovered publishes is at the server, and all know of it.
  private void upload() {
    server.sign(fresh.place, fresh.device().dueSignature().orElseThrow());
    for (Talker one : List.of(ann, ben, fresh)) {
      one.ask(ann.account(), ben.account());
    }
  }

  @Test
  void aFreshDeviceThatOpensTheVaultIsOneOfTheSameIdentityForEverybody() {
    ann.say("before", ann.account(), ben.account());
    ben.hear();
    ben.warnings.clear();
    ann.warnings.clear();

    assertThat(open(made())).isEqualTo(Recovered.DONE);
    assertThat(fresh.device().isSigned()).isTrue();
    assertThat(fresh.device().ownIdentity()).isEqualTo(ann.device().ownIdentity());
    upload();

    ben.say("to all of you", ann.account(), ben.account());
    assertThat(ann.hear()).contains("to all of you");
    assertThat(fresh.hear()).contains("to all of you");
    fresh.say("from the new one", ann.account(), ben.account());
    assertThat(ben.hear()).containsExactly("from the new one");
    assertThat(ann.hear()).containsExactly("from the new one");
    assertThat(ben.warnings).isEmpty();
    assertThat(ann.warnings).isEmpty();
    assertThat(fresh.texts()).doesNotContain("before");
  }

  @Test
  void aDeviceThatRecoveredCanMakeAVaultItself() {
    assertThat(fresh.device().recovery().make(NOW)).isEmpty();
    open(made());
    assertThat(fresh.device().recovery().make(NOW)).isPresent();
    assertThat(open(made())).isEqualTo(Recovered.PRESENT);
  }

  /// It would take the place of the vault of the identity that everybody believes.
  @Test
  void aDeviceWhoseAccountHasAnotherIdentityMakesNoVault() {
    assertThat(ann.device().recovery().isOutdated()).isFalse();
    try (Talker later = Talker.first(server, temp, 11, "later")) {
      ann.ask(ann.account());
      later.ask(ann.account());
      assertThat(ann.device().recovery().make(NOW)).isEmpty();
      assertThat(ann.device().recovery().isOutdated()).isTrue();
      assertThat(later.device().recovery().make(NOW)).isPresent();
    }
    assertThat(fresh.device().recovery().isOutdated()).isFalse();
  }

  @Test
  void theSignatureIsDueWheneverTheServerDoesNotListIt() {
    assertThat(fresh.device().dueSignature()).isEmpty();
    Opaque unsigned =
        Objects.requireNonNull(server.query(fresh.account()).devices().getLast().identity());
    open(made());
    fresh.restart();
    Opaque signed = fresh.device().dueSignature().orElseThrow();
    server.sign(fresh.place, signed);
    fresh.ask(fresh.account());
    assertThat(fresh.device().dueSignature()).isEmpty();
    server.sign(fresh.place, unsigned);
    fresh.ask(fresh.account());
    assertThat(fresh.device().dueSignature()).contains(signed);
    server.remove(fresh.place);
    fresh.ask(fresh.account());
    assertThat(fresh.device().dueSignature()).isEmpty();
  }

  @Test
  void whoWasVerifiedAndWhatIsSealedIsKnownAgain() {
    String master =
        ann.store().transact(c -> new Pins().pinned(c)).stream()
            .filter(pinned -> pinned.account().equals(ben.account()))
            .findFirst()
            .orElseThrow()
            .master();
    ann.store().change(changes -> new Pins().verified(changes, ben.account(), master));
    ann.device().history().sealed(QUIET, new KnownSeal("olm1", new Seq(9)));
    ann.device().admit(QUIET, List.of(ann.account(), ben.account()), Optional.of(ben.account()));
    open(made());

    assertThat(fresh.device().history().seal(QUIET)).contains(new KnownSeal("olm1", new Seq(9)));
    AccountId other = new AccountId(99);
    assertThat(
            fresh
                .device()
                .admit(QUIET, List.of(ann.account(), other), Optional.of(other))
                .allowed())
        .isFalse();
    assertThat(fresh.device().trust(ben.account())).isEqualTo(Trust.VERIFIED);
    fresh.ask(ben.account());
    assertThat(fresh.device().trust(ben.account())).isEqualTo(Trust.VERIFIED);
    assertThat(fresh.device().devices(ben.account()))
        .extracting(ListedDevice::doubt)
        .containsExactly((Doubt) null);
  }

  @Test
  void anotherIdentityOfSomebodyThanTheOneInTheVaultIsAChange() {
    Recovery.Made made = made();
    try (Talker false12 = Talker.first(new HonestServer(), temp.resolve("false"), 12, "desk")) {
      server.identity(ben.account(), false12.device().ownIdentity().orElseThrow());
    }
    fresh.ask(ben.account());
    assertThat(fresh.device().trust(ben.account())).isEqualTo(Trust.PINNED);
    assertThat(open(made)).isEqualTo(Recovered.DONE);
    assertThat(fresh.device().trust(ben.account())).isEqualTo(Trust.CHANGED);
    server.identity(ben.account(), ben.device().ownIdentity().orElseThrow());
    fresh.ask(ben.account());
    assertThat(fresh.device().trust(ben.account())).isEqualTo(Trust.PINNED);
  }

  @Test
  void nothingIsTakenWhereTheServerTellsOfAnotherIdentity() {
    Recovery.Made made = made();
    try (Talker false11 = Talker.first(new HonestServer(), temp.resolve("false"), 11, "phone")) {
      server.identity(ann.account(), false11.device().ownIdentity().orElseThrow());
    }
    fresh.ask(ann.account());
    assertThat(open(made)).isEqualTo(Recovered.OTHER_IDENTITY);
    assertThat(fresh.device().recovery().hasIdentity()).isFalse();
    assertThat(fresh.device().isSigned()).isFalse();
  }

  @Test
  void aServerThatTellsOfAnotherIdentityAfterwardsIsNotBelieved() {
    open(made());
    try (Talker false11 = Talker.first(new HonestServer(), temp.resolve("false"), 11, "phone")) {
      server.identity(ann.account(), false11.device().ownIdentity().orElseThrow());
    }
    fresh.ask(ann.account());
    assertThat(fresh.device().isSigned()).isFalse();
    assertThat(fresh.device().trust(ann.account())).isEqualTo(Trust.CHANGED);
  }

  @Test
  void anotherKeyAccountVersionOrSizeIsTold() {
    Recovery.Made made = made();
    Recovery recovery = fresh.device().recovery();
    RecoveryKey other = RecoveryKey.make(new SecureRandom());
    assertThat(recovery.open(other, made.vault())).isEqualTo(Recovered.WRONG_KEY);
    Recovery.Made bens = ben.device().recovery().make(NOW).orElseThrow();
    assertThat(recovery.open(bens.key(), bens.vault())).isEqualTo(Recovered.OTHER_ACCOUNT);
    assertThat(recovery.open(made.key(), changed(made.vault(), v -> v.put("version", 2))))
        .isEqualTo(Recovered.OTHER_VERSION);
    assertThat(recovery.open(made.key(), new Opaque("{" + " ".repeat(Vault.MOST) + "}")))
        .isEqualTo(Recovered.TOO_LARGE);
    assertThat(recovery.open(made.key(), new Opaque("of another program")))
        .isEqualTo(Recovered.DAMAGED);
    assertThat(recovery.hasIdentity()).isFalse();
    assertThat(open(made)).isEqualTo(Recovered.DONE);
  }

  /// Somebody's own vault under the head of another account is not theirs.
  @Test
  void theHeadOfAVaultIsSealedToo() {
    Recovery.Made made = made();
    Recovery.Made bens = ben.device().recovery().make(NOW).orElseThrow();
    assertThat(
            fresh
                .device()
                .recovery()
                .open(
                    bens.key(),
                    changed(bens.vault(), v -> v.put("account", OlmNames.of(ann.account())))))
        .isEqualTo(Recovered.DAMAGED);
    assertThat(
            fresh
                .device()
                .recovery()
                .open(made.key(), changed(made.vault(), v -> v.put("made_at", 1))))
        .isEqualTo(Recovered.DAMAGED);
    assertThat(
            fresh
                .device()
                .recovery()
                .open(made.key(), changed(made.vault(), v -> v.put("identity", "AAAA"))))
        .isEqualTo(Recovered.DAMAGED);
    assertThat(
            fresh
                .device()
                .recovery()
                .open(made.key(), changed(made.vault(), v -> v.put("sealed", "AAAA"))))
        .isEqualTo(Recovered.DAMAGED);
    assertThat(
            fresh
                .device()
                .recovery()
                .open(made.key(), changed(made.vault(), v -> v.put("salt", "!"))))
        .isEqualTo(Recovered.DAMAGED);
  }

  @Test
  void secretsThatDoNotFitTheirIdentityAreNotTaken() {
    RecoveryKey key = RecoveryKey.make(new SecureRandom());
    for (String field : List.of("master_key", "self_signing_key", "user_signing_key")) {
      ObjectNode all = packed(ann);
      ((ObjectNode) all.get("identity"))
          .put(field, packed(ben).get("identity").get(field).textValue());
      assertThat(fresh.device().recovery().open(key, sealed(key, all)))
          .isEqualTo(Recovered.DAMAGED);
    }
    assertThat(fresh.device().recovery().open(key, sealed(key, packed(ben))))
        .isEqualTo(Recovered.DAMAGED);
    ObjectNode all = packed(ann);
    all.putArray("rooms").addArray().add("x").add("olm1").add(1);
    assertThat(fresh.device().recovery().open(key, sealed(key, all))).isEqualTo(Recovered.DAMAGED);
    assertThat(fresh.device().recovery().hasIdentity()).isFalse();
  }

  private static ObjectNode packed(Talker talker) {
    Recovery.Made made = talker.device().recovery().make(NOW).orElseThrow();
    return Vault.open(talker.account(), made.key(), made.vault());
  }

  private Opaque sealed(RecoveryKey key, ObjectNode content) {
    String identity = ann.device().ownIdentity().orElseThrow().value();
    return Vault.seal(AccountIdentity.read(ann.account(), identity), key, content, NOW);
  }

  @Test
  void ofManyPeopleAndRoomsTheVerifiedOnesFitIntoTheVault() {
    Pins pins = new Pins();
    ann.store()
        .change(
            changes -> {
              for (int i = 0; i < 2 * Belongings.MOST_PINS; i++) {
                pins.vouch(
                    changes,
                    new Pinned(
                        new AccountId(4_000_000_000_000_000_000L + i), "M".repeat(43), i % 2 == 0));
              }
            });
    for (int i = 0; i < 2 * Belongings.MOST_ROOMS; i++) {
      RoomId room = new RoomId(4_000_000_000_000_000_000L + i);
      ann.device().history().sealed(room, new KnownSeal("olm1", new Seq(Long.MAX_VALUE >> 10)));
      ann.device()
          .admit(room, List.of(), Optional.of(new AccountId(4_000_000_000_000_000_000L + i)));
    }
    Recovery.Made made = made();
    assertThat(made.vault().value().length()).isLessThan(Vault.MOST);
    assertThat(open(made)).isEqualTo(Recovered.DONE);
    assertThat(fresh.store().transact(pins::pinned))
        .filteredOn(Pinned::verified)
        .hasSizeGreaterThanOrEqualTo(Belongings.MOST_PINS);
  }

  @Test
  void ofWhatIsNotToBeReadNothingIsTaken() {
    RecoveryKey key = RecoveryKey.make(new SecureRandom());
    for (String wrong : List.of("[[1]]", "[[\"x\",\"y\",true]]", "{}")) {
      for (String field : List.of("pins", "rooms", "identity")) {
        ObjectNode all = packed(ann);
        all.set(field, SealedJson.foreign("{\"x\":" + wrong + "}").get("x"));
        assertThat(fresh.device().recovery().open(key, sealed(key, all)))
            .isEqualTo(Recovered.DAMAGED);
      }
    }
    assertThat(fresh.store().transact(new Pins()::pinned)).hasSize(1);
  }

  /// The server has what the device made in place of the former identity, and all know of it.
  private void reset(Talker one) {
    server.identity(one.account(), one.device().recovery().reset().orElseThrow());
    one.ask(one.account());
    one.device().dueSignature().ifPresent(signed -> server.sign(one.place, signed));
    for (Talker each : List.of(ann, ben, fresh)) {
      each.ask(ann.account(), ben.account());
    }
  }

  @Test
  void whoLostAllDevicesMakesAnotherIdentityThatOthersHaveToAccept() {
    ben.warnings.clear();
    reset(fresh);
    assertThat(fresh.device().isSigned()).isTrue();
    assertThat(ben.warnings).contains(new Warning(ann.account(), null, Doubt.CHANGED_IDENTITY));
    assertThat(ben.device().trust(ann.account())).isEqualTo(Trust.CHANGED);
    fresh.say("it is me", ann.account(), ben.account());
    assertThat(ben.hear()).isEmpty();

    assertThat(ben.device().accept(ann.account()))
        .extracting(SealedLine::text)
        .containsExactly("it is me");
    ben.say("welcome back", ann.account(), ben.account());
    assertThat(fresh.hear()).containsExactly("welcome back");
    assertThat(ann.hear()).isEmpty();
    assertThat(ben.device().trust(ann.account())).isEqualTo(Trust.PINNED);
  }

  @Test
  void theFormerIdentityComesBackByTheDeviceThatHasIt() {
    assertThat(ann.device().recovery().reset()).isEmpty();
    Optional<Opaque> former = ann.device().ownIdentity();
    reset(fresh);
    assertThat(ann.device().recovery().isOutdated()).isTrue();
    assertThat(ann.device().recovery().hasIdentity()).isFalse();
    reset(ann);
    assertThat(ann.device().ownIdentity()).isEqualTo(former);
    assertThat(ann.device().isSigned()).isTrue();
    assertThat(ben.device().trust(ann.account())).isEqualTo(Trust.PINNED);
    assertThat(fresh.device().recovery().isOutdated()).isTrue();
  }

  @Test
  void anIdentityThatTheServerDidNotTakeIsNoneAsSoonAsItTellsOfTheFormerOne() {
    Opaque first = fresh.device().recovery().reset().orElseThrow();
    fresh.restart();
    fresh.ask(fresh.account());
    assertThat(fresh.device().isSigned()).isFalse();
    assertThat(fresh.device().recovery().hasIdentity()).isFalse();
    assertThat(fresh.device().recovery().reset()).contains(first);
  }

  @Test
  void aVaultSaysWhenItWasMadeAndNothingElse() {
    Recovery.Made made = made();
    assertThat(Recovery.madeAt(made.vault())).contains(NOW);
    assertThat(Recovery.madeAt(new Opaque("rubbish"))).isEmpty();
    assertThat(Recovery.madeAt(new Opaque("x".repeat(Vault.MOST + 1)))).isEmpty();
    assertThat(made.vault().value()).doesNotContain("master");
    assertThat(made().vault()).isNotEqualTo(made.vault());
  }

  /// A position of the queue and the like stay as they were.
  @Test
  void whatTheDeviceKeepsOfItselfStays() {
    fresh.device().goOn(HonestServer.EPOCH, new QueueSeq(1), false);
    Opaque before = fresh.device().publication(50).identity();
    open(made());
    assertThat(fresh.device().position()).isPresent();
    assertThat(fresh.device().publication(50).identity()).isEqualTo(before);
    assertThat(fresh.device().dueSignature()).isPresent().isNotEqualTo(Optional.of(before));
  }
}
