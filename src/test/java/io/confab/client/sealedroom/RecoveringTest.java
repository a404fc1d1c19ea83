package io.confab.client.sealedroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ApiException;
import io.confab.client.Refusals;
import io.confab.client.sealed.Recovered;
import io.confab.client.sealed.RecoveryKey;
import io.confab.client.sealed.Trust;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Opaque;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveringTest {
  private final MemoryServer server = new MemoryServer();

  private Path temp;
  private Person ann;
  private Person bob;
  private Person fresh;

  @BeforeEach
  void start(@TempDir Path folder) {
    temp = folder;
    ann = Person.ready(server, temp, 17, "a");
    bob = Person.ready(server, temp, 18, "b");
    fresh = new Person(server, temp, 17, "fresh");
    server.members.addAll(List.of(ann.account, bob.account));
    assertThat(fresh.keys.start().result()).isEqualTo(SealedState.NOT_LINKED);
  }

  @AfterEach
  void stop() {
    List.of(ann, bob, fresh).forEach(Person::close);
  }

  private static Recovering of(Person person) {
    return new Recovering(
        person.account, person.calls, person.roster, person.device, () -> Person.NOW, person);
  }

  private RecoveryKey made() {
    return of(ann).make().result().orElseThrow();
  }

  @Test
  void aFreshDeviceThatRecoveredPublishesKeysThatEverybodyBelieves() {
    RecoveryKey key = made();
    assertThat(server.knows(fresh.account, fresh.name)).isFalse();
    assertThat(of(fresh).open(key).result())
        .isEqualTo(new SealedRecovery.Opened(Recovered.DONE, Optional.of(SealedState.READY)));
    assertThat(server.knows(fresh.account, fresh.name)).isTrue();
    assertThat(fresh.keys.start().result()).isEqualTo(SealedState.READY);
    assertThat(server.count("signDevice")).isZero();
    bob.roster.doubtAll();
    bob.roster.of(MemoryServer.ROOM);
    assertThat(bob.sealed.devices(ann.account)).hasSize(2).allMatch(one -> one.doubt() == null);
    assertThat(bob.sealed.trust(ann.account)).isEqualTo(Trust.PINNED);
    assertThat(bob.warnings).isEmpty();
  }

  @Test
  void aDeviceWhoseKeysTheServerDoesNotTakeHasTheIdentityAndSaysSo() {
    RecoveryKey key = made();
    server.refuse("publish", Refusals.of(ErrorCode.CONFLICT, "device"));
    assertThat(of(fresh).open(key).result())
        .isEqualTo(
            new SealedRecovery.Opened(Recovered.DONE, Optional.of(SealedState.TOO_MANY_DEVICES)));
    assertThat(of(fresh).hasIdentity().result()).isTrue();
    assertThat(of(fresh).open(key).result())
        .isEqualTo(new SealedRecovery.Opened(Recovered.PRESENT, Optional.empty()));
  }

  /// It was published unsigned, as by another program.
  @Test
  void aDeviceThatTheServerListsUnsignedIsSignedThere() {
    RecoveryKey key = made();
    fresh.calls.publish(fresh.sealed.publication(0), true);
    server.refuse("signDevice", Refusals.unreachable());
    assertThat(of(fresh).open(key).result().outcome()).isEqualTo(Recovered.DONE);
    assertThat(server.count("signDevice")).isEqualTo(2);
    bob.roster.doubtAll();
    bob.roster.of(MemoryServer.ROOM);
    assertThat(bob.sealed.devices(ann.account)).hasSize(2).allMatch(one -> one.doubt() == null);
    assertThat(fresh.keys.start().result()).isEqualTo(SealedState.READY);
    assertThat(server.count("signDevice")).isEqualTo(2);
  }

  /// A standby took over that did not have it yet.
  @Test
  void aSignatureThatTheServerLostIsToldAgain() {
    RecoveryKey key = made();
    Opaque unsigned = fresh.sealed.publication(0).identity();
    fresh.calls.publish(fresh.sealed.publication(0), true);
    of(fresh).open(key);
    server.set(fresh.account, fresh.name, unsigned);
    assertThat(fresh.keys.start().result()).isEqualTo(SealedState.READY);
    bob.roster.doubtAll();
    bob.roster.of(MemoryServer.ROOM);
    assertThat(bob.sealed.devices(ann.account)).hasSize(2).allMatch(one -> one.doubt() == null);
  }

  @Test
  void thereIsAVaultOnceAKeyWasMadeAndTheLastKeyOpensIt() {
    assertThat(of(ann).vault().result()).isEmpty();
    RecoveryKey first = made();
    RecoveryKey second = made();
    assertThat(of(ann).vault().result()).isPresent();
    assertThat(of(fresh).open(first).result().outcome()).isEqualTo(Recovered.WRONG_KEY);
    assertThat(of(fresh).open(second).result().outcome()).isEqualTo(Recovered.DONE);
  }

  @Test
  void aVaultSaysWhenItsKeyWasMadeByTheClock() {
    made();
    assertThat(of(ann).vault().result())
        .contains(new SealedRecovery.Present(Optional.of(Person.NOW), false));
  }

  @Test
  void nothingIsRecoveredWithoutAVaultOrAnAnswer() {
    RecoveryKey key = made();
    server.refuse("vault", Refusals.unreachable());
    assertThat(of(fresh).open(key).failed()).isTrue();
    server.vaults.clear();
    assertThat(of(fresh).open(key).result().outcome()).isEqualTo(Recovered.NO_VAULT);
    assertThat(of(fresh).hasIdentity().result()).isFalse();
  }

  @Test
  void whoseAccountHasAnotherIdentityNowIsToldSoAndTheVaultStays() {
    made();
    Opaque vault = server.vaults.get(ann.account);
    try (Person other = new Person(new MemoryServer(), temp.resolve("other"), 17, "x")) {
      server.identities.put(ann.account, other.sealed.createIdentity());
    }
    assertThat(of(ann).make().cause())
        .isInstanceOfSatisfying(
            ApiException.class, why -> assertThat(why.is(ErrorCode.CONFLICT)).isTrue());
    assertThat(server.vaults).containsEntry(ann.account, vault);
  }

  @Test
  void aDeviceThatResetTheIdentityTakesPartAndOthersAreWarned() {
    bob.roster.of(MemoryServer.ROOM);
    assertThat(of(fresh).reset().result()).contains(SealedState.READY);
    assertThat(server.knows(fresh.account, fresh.name)).isTrue();
    assertThat(of(fresh).hasIdentity().result()).isTrue();
    assertThat(fresh.keys.start().result()).isEqualTo(SealedState.READY);
    bob.roster.doubtAll();
    bob.roster.of(MemoryServer.ROOM);
    assertThat(bob.sealed.trust(ann.account)).isEqualTo(Trust.CHANGED);
    assertThat(ann.keys.start().result()).isEqualTo(SealedState.NOT_LINKED);
    assertThat(of(ann).hasIdentity().result()).isFalse();
  }

  @Test
  void aVaultFromBeforeAResetIsSaidToBeOfTheFormerIdentity() {
    made();
    of(fresh).reset();
    assertThat(of(fresh).vault().result())
        .contains(new SealedRecovery.Present(Optional.of(Person.NOW), true));
    ann.roster.doubtAll();
    assertThat(of(ann).vault().result())
        .contains(new SealedRecovery.Present(Optional.of(Person.NOW), true));
    of(fresh).make();
    assertThat(of(fresh).vault().result())
        .contains(new SealedRecovery.Present(Optional.of(Person.NOW), false));
  }

  @Test
  void aDeviceThatHasTheIdentityResetsNothing() {
    Opaque before = server.identities.get(ann.account);
    assertThat(of(ann).reset().cause())
        .isInstanceOfSatisfying(
            ApiException.class, why -> assertThat(why.is(ErrorCode.CONFLICT)).isTrue());
    assertThat(server.identities).containsEntry(ann.account, before);
  }

  @Test
  void whatTheServerDidNotTakeIsNoIdentity() {
    server.refuse("sign", Refusals.of(ErrorCode.RATE_LIMITED));
    assertThat(of(fresh).reset().failed()).isTrue();
    assertThat(of(fresh).hasIdentity().result()).isFalse();
    assertThat(of(fresh).reset().result()).contains(SealedState.READY);
  }

  @Test
  void whatTheServerTookWithoutAnAnswerIsTheIdentity() {
    server.signed =
        _ -> {
          throw Refusals.unreachable();
        };
    assertThat(of(fresh).reset().result()).contains(SealedState.READY);
  }

  @Test
  void whereNothingIsAnsweredTheSameIsAskedForAgain() {
    server.signed =
        _ -> {
          server.refuse("query", Refusals.unreachable());
          throw Refusals.unreachable();
        };
    assertThat(of(fresh).reset().failed()).isTrue();
    server.signed = _ -> {};
    assertThat(of(fresh).reset().result()).contains(SealedState.READY);
    assertThat(server.identities)
        .containsEntry(fresh.account, fresh.sealed.ownIdentity().orElseThrow());
  }

  @Test
  void aDeviceOfWhichTheServerTakesNoKeysPutsNobodyOut() {
    Opaque before = server.identities.get(ann.account);
    server.refuse("publish", Refusals.of(ErrorCode.CONFLICT, "device"));
    assertThat(of(fresh).reset().cause())
        .isInstanceOfSatisfying(
            ApiException.class, why -> assertThat(why.field()).contains("device"));
    assertThat(server.identities).containsEntry(ann.account, before);
    assertThat(of(fresh).hasIdentity().result()).isFalse();
  }

  @Test
  void aKeyIsGivenToNobodyBeforeTheServerHasTheVault() {
    server.refuse("keepVault", Refusals.of(ErrorCode.TOO_LARGE));
    assertThat(of(ann).make().failed()).isTrue();
    assertThat(of(fresh).make().result()).isEmpty();
  }
}
