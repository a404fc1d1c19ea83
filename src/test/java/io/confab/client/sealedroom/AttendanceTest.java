package io.confab.client.sealedroom;

import static io.confab.client.sealedroom.MemoryServer.EPOCH;
import static io.confab.client.sealedroom.MemoryServer.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ApiException;
import io.confab.client.QueueEvent;
import io.confab.client.Refusals;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttendanceTest {
  private final MemoryServer server = new MemoryServer();
  private final List<SealedState> states = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private final List<String> unsent = new ArrayList<>();
  private final List<String> unheard = new ArrayList<>();
  private final List<Duration> lives = new ArrayList<>();
  private final List<Promise<Void>> ends = new ArrayList<>();
  private final List<SealedLine> gone = new ArrayList<>();
  private Runnable whenReady = () -> {};
  private Instant now = Person.NOW;
  private Path temp;
  private final List<String> asked = new ArrayList<>();
  private Person ann;
  private Person second;

  @BeforeEach
  void meet(@TempDir Path folder) {
    temp = folder;
    ann = new Person(server, temp, 17, "a");
    second = new Person(server, temp, 17, "second");
    server.members.add(ann.account);
  }

  @AfterEach
  void part() {
    ann.close();
    second.close();
  }

  private Attendance of(Person person) {
    QueueDrain drain = new QueueDrain(new Asked(), person.roster, person.device, _ -> {});
    SealedListener listener =
        new SealedListener() {
          @Override
          public void failed(Throwable why) {
            failures.add(why);
          }

          @Override
          public void unsent(RoomId room, String text, ApiException why) {
            unsent.add(text);
          }

          @Override
          public void unheard(SealedLine line) {
            unheard.add(line.text());
          }

          @Override
          public void state(SealedState state) {
            states.add(state);
            if (state == SealedState.READY) {
              whenReady.run();
            }
          }
        };
    return new Attendance(
        person.keys,
        person.roster,
        drain,
        person.sends,
        lifetimes(person)::began,
        listener,
        () -> now);
  }

  private Lifetimes lifetimes(Person person) {
    Pauses pauses =
        span -> {
          Promise<Void> over = Promise.promise();
          lives.add(span);
          ends.add(over);
          return over.future();
        };
    return new Lifetimes(person.device, pauses, () -> now, over -> gone.addAll(over));
  }

  private final class Asked implements QueueCalls {
    @Override
    public void open(@Nullable Epoch epoch, QueueSeq after) {
      asked.add("open");
    }

    @Override
    public void acknowledge(Epoch epoch, QueueSeq upTo) {}

    @Override
    public void reject(Epoch epoch, QueueSeq queueSeq, String reason) {}

    @Override
    public void startOver() {
      asked.add("start over");
    }
  }

  private static QueueEvent opened() {
    return new QueueEvent.Opened(EPOCH, new QueueSeq(1), new QueueSeq(0), false, 50, false);
  }

  @Test
  void whatWasSaidBeforeTheDeviceTakesPartGoesThen() {
    Future<SealedLine> said = ann.sends.say(ROOM, "early");
    Attendance attendance = of(ann);
    assertThat(said.isComplete()).isFalse();
    attendance.queued(new QueueEvent.Due());
    attendance.queued(opened());
    assertThat(states).containsExactly(SealedState.READY);
    assertThat(said.succeeded()).isTrue();
  }

  @Test
  void whatWasSaidFailsWhereTheDeviceTakesNoPart() {
    ann.keys.start();
    Future<SealedLine> said = second.sends.say(ROOM, "early");
    of(second).queued(new QueueEvent.Due());
    assertThat(states).containsExactly(SealedState.NOT_LINKED);
    assertThat(said.cause())
        .isInstanceOfSatisfying(
            ApiException.class, why -> assertThat(why.code()).isEqualTo(Attendance.ABSENT));
  }

  @Test
  void whatWasSaidFailsWhereTheStoreDoes() {
    Future<SealedLine> said = second.sends.say(ROOM, "early");
    IOException full = new IOException("no space left");
    of(second).broken(full);
    assertThat(said.failed()).isTrue();
    assertThat(failures).containsExactly(full);
    assertThat(states).containsExactly(SealedState.STORE_FAILED);
  }

  @Test
  void aLineWithALifetimeThatWasOnItsWayWhenTheProgramEndedIsOverAtItsTime() {
    Person before = Person.held(server, temp, 18, "b");
    server.members.add(before.account);
    server.expiresInS = 60;
    server.losesAnswers = true;
    before.sends.say(ROOM, "a minute");
    before.close();
    try (Person again = new Person(server, temp, 18, "b")) {
      Attendance attendance = of(again);
      attendance.queued(new QueueEvent.Due());
      attendance.queued(opened());
      assertThat(again.texts()).containsExactly("a minute");
      assertThat(lives).containsExactly(Duration.ofMinutes(1).plusMillis(1));
      now = now.plusSeconds(61);
      ends.forEach(Promise::complete);
      assertThat(again.texts()).isEmpty();
      assertThat(gone).hasSize(1);
    }
  }

  @Test
  void keysThatTheServerLostArePublishedAgainAtOnce() {
    Attendance attendance = takesPart();
    server.remove(ann.account, ann.name);
    attendance.queued(new QueueEvent.NotOpened(Refusals.of(ErrorCode.CONFLICT)));
    assertThat(server.knows(ann.account, ann.name)).isTrue();
    assertThat(states).containsOnly(SealedState.READY);
    assertThat(asked).containsExactly("open", "open");
  }

  @Test
  void aQueueThatIsRefusedAllTheSameIsOneOfOtherKeys() {
    Attendance attendance = of(ann);
    attendance.queued(new QueueEvent.Due());
    attendance.queued(new QueueEvent.NotOpened(Refusals.of(ErrorCode.CONFLICT)));
    attendance.queued(new QueueEvent.NotOpened(Refusals.of(ErrorCode.CONFLICT)));
    assertThat(states).endsWith(SealedState.OTHER_KEYS);
  }

  /// The identity came while the keys were seen to, which may have been too late for that.
  @Test
  void whoGotTheIdentityMeanwhileSeesToTheKeysOnceMore() {
    ann.keys.start();
    server.asked.clear();
    of(second).queued(new QueueEvent.Due());
    long once = states.size();
    long asks = server.count("query");
    Attendance attendance = of(second);
    Promise<Void> answers = Promise.promise();
    server.answering = answers.future();
    server.asked.clear();
    attendance.queued(new QueueEvent.Due());
    Future<SealedState> joined = attendance.join();
    answers.complete();
    assertThat(joined.isComplete()).isTrue();
    assertThat(states).hasSize((int) once + 2);
    assertThat(server.count("query")).isGreaterThan(asks);
  }

  /// Another one was set while this device was away, so that nothing told it.
  @Test
  void aDeviceThatComesBackLooksWhetherItIsSignedStill() {
    Attendance attendance = of(ann);
    attendance.queued(new QueueEvent.Due());
    attendance.queued(new QueueEvent.Due());
    assertThat(states).containsOnly(SealedState.READY);
    putOut();
    attendance.queued(new QueueEvent.Due());
    assertThat(states).endsWith(SealedState.NOT_LINKED);
    assertThat(attendance.takesLines()).isFalse();
  }

  /// A standby took over that did not have it yet.
  @Test
  void aDeviceThatComesBackTellsASignatureThatTheServerLost() {
    Opaque unsigned = ann.sealed.publication(0).identity();
    Attendance attendance = of(ann);
    attendance.queued(new QueueEvent.Due());
    long signs = server.count("signDevice");
    long asks = server.count("query");
    attendance.queued(new QueueEvent.Due());
    assertThat(server.count("query")).isEqualTo(asks + 1);
    assertThat(server.count("signDevice")).isEqualTo(signs);
    server.set(ann.account, ann.name, unsigned);
    attendance.queued(new QueueEvent.Due());
    assertThat(server.count("signDevice")).isEqualTo(signs + 1);
    second.roster.learn(List.of(ann.account));
    assertThat(second.sealed.devices(ann.account))
        .singleElement()
        .satisfies(one -> assertThat(one.doubt()).isNull());
    assertThat(states).containsOnly(SealedState.READY);
  }

  @Test
  void whatIsSaidBeforeADeviceThatComesBackKnowsThatItIsNotSignedFails() {
    Attendance attendance = takesPart();
    putOut();
    Promise<Void> answers = Promise.promise();
    server.answering = answers.future();
    attendance.queued(new QueueEvent.Due());
    assertThat(attendance.takesLines()).isTrue();
    Future<SealedLine> said = ann.sends.say(ROOM, "to nobody");
    answers.complete();
    assertThat(said.cause())
        .isInstanceOfSatisfying(
            ApiException.class, why -> assertThat(why.code()).isEqualTo(Attendance.ABSENT));
    assertThat(server.sends).isEmpty();
  }

  /// The server is still there over HTTP.
  @Test
  void whatIsSaidWithoutAConnectionByADeviceThatWasPutOutFails() {
    Attendance attendance = takesPart();
    assertThat(ann.sends.say(ROOM, "to all").succeeded()).isTrue();
    attendance.queued(new QueueEvent.Lost());
    assertThat(ann.sends.say(ROOM, "to all too").succeeded()).isTrue();
    putOut();
    assertThat(ann.sends.say(ROOM, "to nobody").cause())
        .isInstanceOfSatisfying(
            ApiException.class, why -> assertThat(why.code()).isEqualTo(Attendance.ABSENT));
    assertThat(server.sends).hasSize(2);
  }

  private Attendance takesPart() {
    Attendance attendance = of(ann);
    attendance.queued(new QueueEvent.Due());
    attendance.queued(opened());
    return attendance;
  }

  /// Another device of the account gives it its own identity, and nobody is told.
  private void putOut() {
    server.identities.put(ann.account, second.sealed.createIdentity());
  }

  private void said(Attendance attendance, String text) {
    ann.sends.say(ROOM, text).onSuccess(attendance::stored);
  }

  /// The connection was dead, and nobody knew.
  @Test
  void whatWasStoredOnceADeviceWasPutOutIsTold() {
    Attendance attendance = takesPart();
    said(attendance, "before");
    now = now.plus(UnprovenLines.NOTICED).plusSeconds(1);
    putOut();
    said(attendance, "to nobody");
    now = now.plus(UnprovenLines.TOLD).plusSeconds(1);
    attendance.queued(new QueueEvent.Lost());
    attendance.queued(new QueueEvent.Due());
    assertThat(states).endsWith(SealedState.NOT_LINKED);
    assertThat(unheard).containsExactly("to nobody");
  }

  /// It was on its way, and the server answers last.
  @Test
  void whatIsStoredAfterADeviceWasPutOutIsTold() {
    Attendance attendance = takesPart();
    Promise<Void> answers = Promise.promise();
    server.acknowledging = answers.future();
    said(attendance, "to nobody");
    putOut();
    attendance.queued(new QueueEvent.DevicesChanged(ann.account, 99));
    assertThat(unheard).isEmpty();
    answers.complete();
    assertThat(unheard).containsExactly("to nobody");
  }

  @Test
  void allThatWasStoredAboutThenIsTold() {
    Attendance attendance = takesPart();
    said(attendance, "perhaps");
    said(attendance, "to nobody");
    said(attendance, "to nobody too");
    putOut();
    attendance.queued(new QueueEvent.DevicesChanged(ann.account, 99));
    assertThat(unheard).containsExactly("perhaps", "to nobody", "to nobody too");
  }

  /// The server answers late.
  @Test
  void whatWasStoredWhenItWasToldIsToldHoweverLongTheLookTakes() {
    Attendance attendance = takesPart();
    said(attendance, "to nobody");
    putOut();
    Promise<Void> answers = Promise.promise();
    server.answering = answers.future();
    attendance.queued(new QueueEvent.DevicesChanged(ann.account, 99));
    now = now.plus(UnprovenLines.NOTICED);
    answers.complete();
    assertThat(unheard).containsExactly("to nobody");
  }

  /// It is found when the keys are seen to once more.
  @Test
  void whatWasStoredBeforeItIsFoundOutByTheQueueIsTold() {
    Attendance attendance = takesPart();
    said(attendance, "to nobody");
    putOut();
    attendance.queued(new QueueEvent.NotOpened(Refusals.of(ErrorCode.CONFLICT)));
    assertThat(states).endsWith(SealedState.NOT_LINKED);
    assertThat(unheard).containsExactly("to nobody");
  }

  @Test
  void whatIsOverIsNotTold() {
    Attendance attendance = takesPart();
    said(attendance, "over");
    said(attendance, "to nobody");
    attendance.over(ann.sealed.history().last(ROOM, 2).subList(0, 1));
    putOut();
    attendance.queued(new QueueEvent.DevicesChanged(ann.account, 99));
    assertThat(unheard).containsExactly("to nobody");
  }

  @Test
  void whatWasStoredBeforeADeviceThatIsSignedCameBackIsNotTold() {
    Attendance attendance = takesPart();
    said(attendance, "to all");
    attendance.queued(new QueueEvent.Lost());
    attendance.queued(new QueueEvent.Due());
    putOut();
    attendance.queued(new QueueEvent.DevicesChanged(ann.account, 99));
    assertThat(states).endsWith(SealedState.NOT_LINKED);
    assertThat(unheard).isEmpty();
  }

  /// The server is busy just then.
  @Test
  void aDeviceThatComesBackAsksAgainWhetherItIsSigned() {
    Attendance attendance = of(ann);
    attendance.queued(new QueueEvent.Due());
    putOut();
    server.refuse("query", Refusals.of(ErrorCode.UNAVAILABLE));
    attendance.queued(new QueueEvent.Due());
    assertThat(states).endsWith(SealedState.NOT_LINKED);
  }

  /// Another device of the account set it again.
  @Test
  void aDeviceWhoseIdentityIsThatOfTheAccountAgainTakesPartAgain() {
    Attendance attendance = of(ann);
    attendance.queued(new QueueEvent.Due());
    var first = Objects.requireNonNull(server.identities.get(ann.account));
    putOut();
    attendance.queued(new QueueEvent.DevicesChanged(ann.account, 99));
    server.identities.put(ann.account, first);
    attendance.queued(new QueueEvent.DevicesChanged(ann.account, 100));
    assertThat(states)
        .containsExactly(SealedState.READY, SealedState.NOT_LINKED, SealedState.READY);
    assertThat(attendance.takesLines()).isTrue();
  }

  /// Another identity was set when it went out again, and it was to be sealed anew.
  @Test
  void whoseLineWasOnItsWayAndIsNotSealedAnewIsTold() {
    Person before = Person.held(server, temp, 18, "b");
    server.members.add(before.account);
    server.refuse("send", Refusals.unreachable());
    before.sends.say(ROOM, "to nobody");
    before.close();
    server.sends.clear();
    server.refuse("send", Refusals.mismatch(server.present()));
    try (Person again = new Person(server, temp, 18, "b");
        Person other = new Person(server, temp, 18, "other")) {
      Attendance attendance = of(again);
      whenReady =
          () -> {
            server.identities.put(again.account, other.sealed.createIdentity());
            attendance.queued(new QueueEvent.DevicesChanged(again.account, 99));
          };
      attendance.queued(new QueueEvent.Due());
      assertThat(states).containsExactly(SealedState.READY, SealedState.NOT_LINKED);
      assertThat(server.sends).hasSize(1);
      assertThat(unsent).containsExactly("to nobody");
    }
  }

  @Test
  void whereTheAccountGetsAnotherIdentityTheDeviceTakesNoPartAnyMore() {
    Attendance attendance = of(ann);
    attendance.queued(new QueueEvent.Due());
    putOut();
    attendance.queued(new QueueEvent.DevicesChanged(ann.account, 99));
    assertThat(states).containsExactly(SealedState.READY, SealedState.NOT_LINKED);
    assertThat(attendance.takesLines()).isFalse();
  }
}
