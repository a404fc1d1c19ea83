package io.confab.client.sealedroom;

import static io.confab.client.sealedroom.MemoryServer.EPOCH;
import static io.confab.client.sealedroom.MemoryServer.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ApiException;
import io.confab.client.QueuedEnvelope;
import io.confab.client.Refusals;
import io.confab.client.sealed.Doubt;
import io.confab.client.sealed.LetterTo;
import io.confab.client.sealed.Outgoing;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.Warning;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.QueueSeq;
import io.vertx.core.Future;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SealedSendsTest {
  private final MemoryServer server = new MemoryServer();
  private final List<Person> people = new ArrayList<>();
  private Path temp;
  private Person ann;
  private Person bob;

  @BeforeEach
  void meet(@TempDir Path folder) {
    temp = folder;
    ann = add(Person.ready(server, temp, 17, "a"));
    bob = add(Person.ready(server, temp, 18, "b"));
    server.members.addAll(List.of(ann.account, bob.account));
  }

  @AfterEach
  void part() {
    people.forEach(Person::close);
  }

  private Person add(Person person) {
    people.add(person);
    return person;
  }

  private static ApiException refusal(Future<SealedLine> said) {
    assertThat(said.failed()).isTrue();
    return (ApiException) said.cause();
  }

  @Test
  void aLineIsStoredAndReadOnTheOtherSide() {
    Future<SealedLine> said = ann.sends.say(ROOM, "Hello, Bob.");
    assertThat(said.result().seq().value()).isEqualTo(1);
    assertThat(said.result().text()).isEqualTo("Hello, Bob.");
    assertThat(bob.hear(server)).containsExactly("Hello, Bob.");
    bob.sends.say(ROOM, "Hello, Ann.");
    assertThat(ann.hear(server)).containsExactly("Hello, Ann.");
    assertThat(ann.texts()).isEqualTo(bob.texts()).hasSize(2);
    assertThat(ann.warnings).isEmpty();
  }

  /// The channel of a file fails and closes for a thread that is interrupted.
  @Test
  void aLineThatTheServerHasAndTheDiskDidNotTakeIsSaidToBeKeptAndGoesAgain() {
    Person cat =
        new Person(
            server,
            temp,
            19,
            "c",
            task -> {
              if (!server.sends.isEmpty()) {
                Thread.currentThread().interrupt();
              }
              task.run();
              Thread.interrupted();
            });
    server.members.add(cat.account);
    cat.join();
    cat.sends.resume();
    assertThat(refusal(cat.sends.say(ROOM, "kept"))).hasMessageContaining("it is kept");
    assertThat(cat.device.broken().cause()).isInstanceOf(FileSystemException.class);
    cat.close();
    server.sends.clear();
    Person again = add(new Person(server, temp, 19, "c"));
    again.join();
    again.sends.resume();
    assertThat(again.texts()).containsExactly("kept");
    assertThat(bob.hear(server)).containsExactly("kept");
  }

  @Test
  void whoIsThereAndHasAKeyIsAskedForOnce() {
    for (int i = 0; i < 20; i++) {
      ann.sends.say(ROOM, "line " + i);
    }
    assertThat(server.count("members")).isEqualTo(1);
    assertThat(server.count("claim")).isEqualTo(1);
    assertThat(bob.hear(server)).hasSize(20);
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {"UNAVAILABLE", "INTERNAL", "SLOW_MODE", "MUTED", "RATE_LIMITED"})
  void whatPassesIsFollowedByTheSameBytes(ErrorCode code) {
    server.refuse("send", Refusals.of(code), Refusals.unreachable());
    assertThat(ann.sends.say(ROOM, "patience").succeeded()).isTrue();
    assertThat(server.sends).hasSize(3);
    assertThat(new HashSet<>(server.sends)).hasSize(1);
    assertThat(ann.pauses).hasSize(2);
    assertThat(bob.hear(server)).containsExactly("patience");
  }

  @Test
  void aLineWhoseAnswerWasLostIsStoredOnce() {
    server.losesAnswers = true;
    assertThat(ann.sends.say(ROOM, "once").result().seq().value()).isEqualTo(1);
    ann.sends.say(ROOM, "twice");
    assertThat(bob.hear(server)).containsExactly("once", "twice");
  }

  @Test
  void aDeviceThatComesIsSealedForUnderTheSameId() {
    ann.sends.say(ROOM, "before");
    Person carol = add(Person.ready(server, temp, 19, "c"));
    server.members.add(carol.account);
    assertThat(ann.sends.say(ROOM, "after").succeeded()).isTrue();
    assertThat(server.sends).hasSize(3);
    assertThat(server.sends.get(2).clientId()).isEqualTo(server.sends.get(1).clientId());
    assertThat(carol.hear(server)).containsExactly("after");
    assertThat(bob.hear(server)).containsExactly("before", "after");
  }

  @Test
  void aDeviceThatGoesIsNotSealedForAnyMore() {
    Person second = add(Person.ready(server, temp, 19, "c"));
    server.members.add(second.account);
    ann.sends.say(ROOM, "before");
    server.remove(second.account, second.name);
    assertThat(ann.sends.say(ROOM, "after").succeeded()).isTrue();
    assertThat(server.sends.getLast().envelopes())
        .extracting(letter -> letter.device().accountId())
        .containsExactly(bob.account);
    assertThat(bob.hear(server)).containsExactly("before", "after");
  }

  @Test
  void aServerThatNamesOthersThanItTellsTheKeysOfIsNotAskedForEver() {
    ApiException lie = Refusals.mismatch(server.present().subList(0, 1));
    server.refuse("send", lie, lie, lie);
    ApiException why = refusal(ann.sends.say(ROOM, "never"));
    assertThat(why.is(ErrorCode.INTERNAL)).isTrue();
    assertThat(server.sends).hasSize(2);
    assertThat(ann.sends.say(ROOM, "again").failed()).isFalse();
  }

  @Test
  void aDeviceThatWasAwaySendsOnceItsQueueIsOpen() {
    Person eve = add(Person.held(server, temp, 20, "e"));
    server.members.add(eve.account);
    server.refuse("send", Refusals.of(ErrorCode.CONFLICT));
    Future<SealedLine> said = eve.sends.say(ROOM, "I was away");
    assertThat(said.isComplete()).isFalse();
    eve.sends.opened();
    assertThat(said.succeeded()).isTrue();
    assertThat(new HashSet<>(server.sends)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {
        "NOT_FOUND",
        "BLOCKED",
        "FORBIDDEN",
        "IDEMPOTENCY_MISMATCH",
        "INVALID_FIELD",
        "TOO_LARGE"
      })
  void whatStaysFailsAndTheNextLineGoes(ErrorCode code) {
    server.refuse("send", Refusals.of(code));
    assertThat(refusal(ann.sends.say(ROOM, "no")).is(code)).isTrue();
    assertThat(ann.sealed.pending(ROOM)).isEmpty();
    assertThat(ann.sends.say(ROOM, "yes").succeeded()).isTrue();
    assertThat(bob.hear(server)).containsExactly("yes");
  }

  @Test
  void whereTheServerCannotBeAskedTheLineWaits() {
    server.refuse("members", Refusals.unreachable());
    server.refuse("query", Refusals.unreachable());
    server.refuse("claim", Refusals.of(ErrorCode.UNAVAILABLE));
    assertThat(ann.sends.say(ROOM, "at last").succeeded()).isTrue();
    assertThat(ann.pauses).hasSize(3);
    assertThat(bob.hear(server)).containsExactly("at last");
  }

  @Test
  void linesOfARoomGoOneAfterAnotherAndTooManyAreRefused() {
    Person eve = add(Person.held(server, temp, 20, "e"));
    server.members.add(eve.account);
    server.refuse("send", Refusals.of(ErrorCode.UNAVAILABLE));
    List<Future<SealedLine>> said = new ArrayList<>();
    for (int i = 0; i < WaitingLines.MOST; i++) {
      said.add(eve.sends.say(ROOM, "line " + i));
    }
    assertThat(refusal(eve.sends.say(ROOM, "one more")).code()).isEqualTo(ApiException.QUEUE_FULL);
    assertThat(server.sends).hasSize(1);
    eve.release();
    assertThat(said).allMatch(Future::succeeded);
    assertThat(said)
        .extracting(line -> line.result().seq().value())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void whatWasOnItsWayGoesAgainWithTheSameBytesAfterBeingKilled() {
    Person eve = add(Person.held(server, temp, 20, "e"));
    server.members.add(eve.account);
    server.losesAnswers = true;
    eve.sends.say(ROOM, "did it arrive?");
    Outgoing before = server.sends.getLast();
    people.remove(eve);
    eve.close();

    Person again = add(new Person(server, temp, 20, "e"));
    Future<SealedLine> next = again.sends.say(ROOM, "and this?");
    assertThat(next.isComplete()).isFalse();
    List<SealedSend> resumed = again.sends.resume().result();
    assertThat(resumed).hasSize(1);
    assertThat(resumed.getFirst().line().future().result().text()).isEqualTo("did it arrive?");
    assertThat(server.sends.get(1)).isEqualTo(before);
    assertThat(next.succeeded()).isTrue();
    assertThat(bob.hear(server)).containsExactly("did it arrive?", "and this?");
  }

  @Test
  void aLineThatIsSaidMeanwhileGoesBehindWhatWasOnItsWay() {
    Person eve = add(Person.held(server, temp, 20, "e"));
    server.members.add(eve.account);
    server.refuse("send", Refusals.of(ErrorCode.UNAVAILABLE));
    eve.sends.say(ROOM, "first");
    people.remove(eve);
    eve.close();

    Deque<Runnable> work = new ArrayDeque<>();
    Person again = add(new Person(server, temp, 20, "e", work::add));
    again.sends.resume();
    Future<SealedLine> next = again.sends.say(ROOM, "second");
    while (!work.isEmpty()) {
      work.remove().run();
    }
    assertThat(next.result().seq().value()).isEqualTo(2);
    assertThat(bob.hear(server)).containsExactly("first", "second");
  }

  @Test
  void theKeyOfALineWithALifetimeGoesBeforeItAndAlone() {
    server.expiresInS = 30;
    assertThat(ann.sends.say(ROOM, "soon over").succeeded()).isTrue();
    assertThat(server.loose)
        .singleElement()
        .satisfies(
            letters ->
                assertThat(letters)
                    .extracting(LetterTo::device)
                    .extracting(device -> device.deviceId())
                    .containsExactly(new DeviceId("b")));
    assertThat(server.sends.getLast().envelopes()).isEmpty();
    assertThat(server.sends.getLast().expiresInS()).isEqualTo(30);
    assertThat(bob.hear(server)).containsExactly("soon over");
  }

  @Test
  void aDeviceThatGivesNoKeyKeepsNobodyWaiting() {
    server.refuse("claim", Refusals.of(ErrorCode.FORBIDDEN));
    assertThat(ann.sends.say(ROOM, "one").succeeded()).isTrue();
    assertThat(ann.sends.say(ROOM, "two").succeeded()).isTrue();
    assertThat(server.count("claim")).isEqualTo(1);
  }

  @Test
  void whatWaitsFailsWhenItIsClosed() {
    Person eve = add(Person.held(server, temp, 20, "e"));
    server.members.add(eve.account);
    server.refuse("send", Refusals.of(ErrorCode.UNAVAILABLE));
    Future<SealedLine> said = eve.sends.say(ROOM, "too late");
    Future<SealedLine> next = eve.sends.say(ROOM, "later still");
    eve.sends.close();
    assertThat(refusal(said).code()).isEqualTo(ApiException.CLOSED);
    assertThat(refusal(said)).hasMessageContaining("goes out when this device begins again");
    assertThat(refusal(next).code()).isEqualTo(ApiException.CLOSED);
    assertThat(refusal(next)).hasMessageNotContaining("begins again");
    assertThat(refusal(eve.sends.say(ROOM, "much too late")).code()).isEqualTo(ApiException.CLOSED);
  }

  @Test
  void aLineThatIsToBeSealedAnewIsNotLostWhenTheProgramEnds() {
    Person eve = add(Person.held(server, temp, 20, "e"));
    server.members.add(eve.account);
    eve.roster.of(ROOM);
    server.refuse("send", Refusals.mismatch(server.present()));
    server.refuse("members", Refusals.unreachable());
    eve.sends.say(ROOM, "still here");
    people.remove(eve);
    eve.close();

    Person again = add(new Person(server, temp, 20, "e"));
    assertThat(again.sends.resume().result())
        .singleElement()
        .satisfies(send -> assertThat(send.line().future().succeeded()).isTrue());
    assertThat(bob.hear(server)).containsExactly("still here");
  }

  @Test
  void whoIsNotInTheRoomIsOwedNothingBeforeALine() {
    Person carol = add(Person.ready(server, temp, 19, "c"));
    server.members.add(carol.account);
    ann.sends.say(ROOM, "before");
    server.members.remove(carol.account);
    ann.roster.changed(ROOM);
    ann.sealed.goOn(new Epoch(2), new QueueSeq(1), true);
    ann.sends.say(ROOM, "after");
    assertThat(server.loose)
        .singleElement()
        .satisfies(
            letters ->
                assertThat(letters)
                    .extracting(letter -> letter.device().accountId())
                    .containsExactly(bob.account));
  }

  @Test
  void aKeyThatWentWithALineWhichIsOverIsToldAgain() {
    ann.sends.say(ROOM, "the server gives it a lifetime");
    server.queue(bob.account, bob.name).set(0, new QueuedEnvelope.Gone(new QueueSeq(1), EPOCH));
    server.expiresInS = 30;
    ann.roster.changed(ROOM);
    ann.sends.say(ROOM, "after");
    assertThat(bob.hear(server)).containsExactly("after");
  }

  private Person join(long account, String name) {
    Person person = add(Person.ready(server, temp, account, name));
    server.members.add(person.account);
    ann.roster.changed(ROOM);
    return person;
  }

  @Test
  void aRoomOfTwoIsSealedForNobodyElse() {
    server.peer = bob.account;
    assertThat(ann.sends.say(ROOM, "for you").succeeded()).isTrue();
    Person eve = join(20, "e");
    assertThat(refusal(ann.sends.say(ROOM, "secret")).is(ErrorCode.INTERNAL)).isTrue();
    assertThat(ann.warnings)
        .containsExactly(new Warning(eve.account, null, Doubt.OTHER_MEMBER, ROOM));
    assertThat(eve.hear(server)).isEmpty();
    assertThat(server.sends).hasSize(1);
    server.members.remove(eve.account);
    ann.roster.changed(ROOM);
    assertThat(ann.sends.say(ROOM, "for you again").succeeded()).isTrue();
  }

  @Test
  void whoIsInARoomOfTwoIsNeverSomebodyElse() {
    server.peer = bob.account;
    ann.sends.say(ROOM, "for you");
    Person eve = join(20, "e");
    server.members.remove(bob.account);
    for (AccountId told : new AccountId[] {eve.account, null}) {
      server.peer = told;
      ann.roster.changed(ROOM);
      assertThat(ann.sends.say(ROOM, "secret").failed()).isTrue();
    }
    assertThat(server.sends).hasSize(1);
  }

  @Test
  void whoIsToldTheKeyOfAGroupLaterIsNamedOnce() {
    ann.sends.say(ROOM, "among us");
    assertThat(ann.warnings).isEmpty();
    Person eve = join(20, "e");
    assertThat(ann.sends.say(ROOM, "welcome").succeeded()).isTrue();
    ann.sends.say(ROOM, "and again");
    assertThat(ann.warnings)
        .containsExactly(new Warning(eve.account, null, Doubt.LATER_READER, ROOM));
    assertThat(eve.hear(server)).containsExactly("welcome", "and again");
  }

  @Test
  void aLineThatTheServerMayHaveIsNotForgottenWhereTheSignInEnds() {
    server.losesAnswers = true;
    server.refuse("send", Refusals.unreachable(), Refusals.of(ErrorCode.UNAUTHORIZED));
    assertThat(refusal(ann.sends.say(ROOM, "once")).is(ErrorCode.UNAUTHORIZED)).isTrue();
    assertThat(refusal(ann.sends.say(ROOM, "behind")).is(ErrorCode.UNAUTHORIZED)).isTrue();
    assertThat(ann.sealed.pending(ROOM)).isPresent();
    people.remove(ann);
    ann.close();

    Person again = add(new Person(server, temp, 17, "a"));
    assertThat(again.sends.resume().result()).hasSize(1);
    assertThat(bob.hear(server)).containsExactly("once");
  }

  @Test
  void aQueueThatTakesLongToOpenFailsNoLine() {
    ApiException away = Refusals.of(ErrorCode.CONFLICT);
    server.refuse("send", away, away, away, away, away);
    Future<SealedLine> said = ann.sends.say(ROOM, "I was away");
    assertThat(said.isComplete()).isFalse();
    assertThat(server.sends).hasSize(1);
    server.refusals.clear();
    ann.sends.opened();
    assertThat(said.succeeded()).isTrue();
    server.refuse("send", away, away, away, away);
    assertThat(refusal(ann.sends.say(ROOM, "archived")).is(ErrorCode.CONFLICT)).isTrue();
  }
}
