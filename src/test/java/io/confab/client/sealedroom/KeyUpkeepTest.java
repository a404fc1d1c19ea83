package io.confab.client.sealedroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.Refusals;
import io.confab.client.sealed.Recovered;
import io.confab.client.sealed.RecoveryKey;
import io.confab.client.sealed.RoomDevice;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyUpkeepTest {
  private final MemoryServer server = new MemoryServer();
  private Path temp;
  private Person ann;

  @BeforeEach
  void open(@TempDir Path folder) {
    temp = folder;
    ann = new Person(server, temp, 17, "a");
  }

  @AfterEach
  void close() {
    ann.close();
  }

  private SealedState start() {
    return ann.keys.start().result();
  }

  private void restart() {
    ann.close();
    ann = new Person(server, temp, 17, "a");
    server.asked.clear();
  }

  private long waiting() {
    return server.oneTimeKeys(ann.account, ann.name);
  }

  @Test
  void theFirstDeviceMakesTheIdentityAndPublishesKeysOnce() {
    assertThat(start()).isEqualTo(SealedState.READY);
    assertThat(server.asked).containsSubsequence("sign", "publish");
    assertThat(waiting()).isEqualTo(KeyUpkeep.ONE_TIME_KEYS);
    restart();
    assertThat(start()).isEqualTo(SealedState.READY);
    assertThat(server.asked).containsOnly("query");
  }

  @Test
  void aDeviceThatIsNotSignedPublishesNothing() {
    assertThat(start()).isEqualTo(SealedState.READY);
    try (Person second = new Person(server, temp, 17, "second")) {
      server.asked.clear();
      assertThat(second.keys.start().result()).isEqualTo(SealedState.NOT_LINKED);
      assertThat(server.asked).containsOnly("query");
      assertThat(server.knows(second.account, second.name)).isFalse();
    }
  }

  @Test
  void ofTwoFirstDevicesTheOneWhoseIdentityIsNotThereIsToBeLinked() {
    assertThat(start()).isEqualTo(SealedState.READY);
    Opaque first = server.identities.remove(ann.account);
    server.signed = account -> server.identities.put(account, first);
    try (Person second = new Person(server, temp, 17, "second")) {
      assertThat(second.keys.start().result()).isEqualTo(SealedState.NOT_LINKED);
      assertThat(server.count("sign")).isEqualTo(2);
      assertThat(server.knows(second.account, second.name)).isFalse();
      assertThat(second.sealed.recovery().hasIdentity()).isFalse();
      second.roster.learn(List.of(second.account));
      assertThat(second.sealed.links().others())
          .extracting(RoomDevice::deviceId)
          .containsExactly(ann.name);
    }
  }

  @Test
  void ofTwoFirstDevicesTheLaterOneIsRecoveredAsAnyOther() {
    assertThat(start()).isEqualTo(SealedState.READY);
    RecoveryKey key = recovering(ann).make().result().orElseThrow();
    Opaque first = server.identities.remove(ann.account);
    server.signed = account -> server.identities.put(account, first);
    try (Person second = new Person(server, temp, 17, "second")) {
      assertThat(second.keys.start().result()).isEqualTo(SealedState.NOT_LINKED);
      assertThat(recovering(second).open(key).result().outcome()).isEqualTo(Recovered.DONE);
      assertThat(second.keys.start().result()).isEqualTo(SealedState.READY);
      assertThat(second.sealed.ownIdentity()).contains(first);
    }
  }

  private static Recovering recovering(Person person) {
    return new Recovering(
        person.account, person.calls, person.roster, person.device, () -> Person.NOW, person);
  }

  /// It made an identity that the server did not take, and another one since is none of its own.
  @Test
  void ofTwoFirstDevicesTheLaterOneMakesNoIdentityWhereTheServerForgetsTheOther() {
    assertThat(start()).isEqualTo(SealedState.READY);
    Opaque first = server.identities.remove(ann.account);
    server.signed = account -> server.identities.put(account, first);
    try (Person second = new Person(server, temp, 17, "second")) {
      assertThat(second.keys.start().result()).isEqualTo(SealedState.NOT_LINKED);
      server.identities.clear();
      server.signed = _ -> {};
      assertThat(second.keys.start().result()).isEqualTo(SealedState.NOT_LINKED);
      assertThat(server.identities).isEmpty();
    }
  }

  @Test
  void anIdentityWhosePublicationWasKilledIsPublishedAgain() {
    Opaque made = ann.sealed.createIdentity();
    restart();
    assertThat(start()).isEqualTo(SealedState.READY);
    assertThat(server.identities).containsEntry(ann.account, made);
  }

  @Test
  void keysAreUploadedAgainUntilTheServerHasThem() {
    server.refuse("publish", Refusals.unreachable(), Refusals.of(ErrorCode.RATE_LIMITED));
    assertThat(start()).isEqualTo(SealedState.READY);
    assertThat(server.count("publish")).isEqualTo(3);
    assertThat(waiting()).isEqualTo(KeyUpkeep.ONE_TIME_KEYS);
  }

  @Test
  void aServerThatTakesNoMoreDevicesOrKnowsOtherKeysSaysSo() {
    server.refuse("publish", Refusals.of(ErrorCode.CONFLICT, "device"));
    assertThat(start()).isEqualTo(SealedState.TOO_MANY_DEVICES);
    server.refuse("publish", Refusals.of(ErrorCode.CONFLICT, "identity"));
    assertThat(start()).isEqualTo(SealedState.OTHER_KEYS);
    server.refuse("publish", Refusals.of(ErrorCode.NOT_FOUND));
    assertThat(start()).isEqualTo(SealedState.OTHER_KEYS);
    server.refuse("publish", Refusals.of(ErrorCode.FORBIDDEN));
    assertThat(start()).isEqualTo(SealedState.REFUSED);
    assertThat(start()).isEqualTo(SealedState.READY);
  }

  @Test
  void whatWasHandedOutIsReplaced() {
    start();
    server.handOut(ann.account, ann.name, 3);
    server.asked.clear();
    server.refuse("publish", Refusals.unreachable());
    ann.keys.topUp(waiting(), false);
    assertThat(server.count("publish")).isEqualTo(2);
    assertThat(waiting()).isEqualTo(KeyUpkeep.ONE_TIME_KEYS);
    ann.keys.topUp(waiting(), false);
    assertThat(server.count("publish")).isEqualTo(2);
  }

  @Test
  void aFallbackKeyThatSomebodyTookIsAnotherOneThen() {
    start();
    Opaque before = server.fallback(ann.account, ann.name);
    ann.keys.topUp(KeyUpkeep.ONE_TIME_KEYS, true);
    assertThat(server.fallback(ann.account, ann.name)).isNotEqualTo(before);
    assertThat(waiting()).isEqualTo(KeyUpkeep.ONE_TIME_KEYS);
  }

  @Test
  void theQueueOfANewRegistrationHasNoPosition() {
    start();
    ann.sealed.goOn(MemoryServer.EPOCH, new QueueSeq(8), false);
    restart();
    assertThat(start()).isEqualTo(SealedState.READY);
    assertThat(ann.sealed.position()).isPresent();
    server.remove(ann.account, ann.name);
    restart();
    assertThat(start()).isEqualTo(SealedState.READY);
    assertThat(ann.sealed.position()).isEmpty();
    assertThat(ann.sealed.toReject()).isEmpty();
  }

  @Test
  void aRegistrationWhoseAnswerWasLostIsANewOneAllTheSame() {
    start();
    ann.sealed.goOn(MemoryServer.EPOCH, new QueueSeq(8), false);
    server.remove(ann.account, ann.name);
    ann.calls.publish(ann.sealed.publication(0), true);
    restart();
    assertThat(start()).isEqualTo(SealedState.READY);
    assertThat(ann.sealed.position()).isEmpty();
  }

  @Test
  void aDeviceThatComesAgainHasAFallbackKeyAgain() {
    start();
    server.remove(ann.account, ann.name);
    restart();
    start();
    assertThat(server.hasFallback(ann.account, ann.name)).isTrue();
  }

  @Test
  void oneUseOfTheFallbackKeyRenewsItOnce() {
    try (Person held = Person.held(server, temp, 18, "h")) {
      server.refuse("publish", Refusals.unreachable());
      held.keys.topUp(KeyUpkeep.ONE_TIME_KEYS, true);
      held.keys.topUp(KeyUpkeep.ONE_TIME_KEYS, true);
      Opaque next = fallbackToPublish(held);
      held.release();
      assertThat(server.fallback(held.account, held.name)).isEqualTo(next);
    }
  }

  @Test
  void aFallbackKeyThatWasNotPublishedIsNotReplaced() {
    start();
    server.refuse("publish", Refusals.of(ErrorCode.FORBIDDEN));
    ann.keys.topUp(KeyUpkeep.ONE_TIME_KEYS, true);
    Opaque next = fallbackToPublish(ann);
    ann.keys.topUp(KeyUpkeep.ONE_TIME_KEYS, true);
    assertThat(server.fallback(ann.account, ann.name)).isEqualTo(next);
  }

  private static Opaque fallbackToPublish(Person person) {
    return person.sealed.publication(KeyUpkeep.ONE_TIME_KEYS).fallback().orElseThrow().key();
  }

  @Test
  void anIdentityThatAnotherDeviceMadeIsNotReplacedWhereTheServerForgetsIt() {
    start();
    try (Person second = new Person(server, temp, 17, "second")) {
      assertThat(second.keys.start().result()).isEqualTo(SealedState.NOT_LINKED);
      server.identities.remove(ann.account);
      assertThat(second.keys.start().result()).isEqualTo(SealedState.NOT_LINKED);
      assertThat(server.identities).isEmpty();
    }
  }

  @Test
  void whatIsToldOfKeysWhileTheyAreUploadedMakesNoMore() {
    try (Person held = Person.held(server, temp, 18, "h")) {
      server.handOut(held.account, held.name, 31);
      server.refuse("publish", Refusals.unreachable());
      for (int left = 19; left > 9; left--) {
        held.keys.topUp(left, false);
      }
      held.release();
      assertThat(server.oneTimeKeys(held.account, held.name)).isEqualTo(KeyUpkeep.ONE_TIME_KEYS);
      assertThat(held.sealed.publication(KeyUpkeep.ONE_TIME_KEYS).oneTimeKeys()).isEmpty();
    }
  }
}
