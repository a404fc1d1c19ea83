package io.confab.client.sealedroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ApiException;
import io.confab.client.QueueEvent;
import io.confab.client.Refusals;
import io.confab.client.sealed.LinkCode;
import io.confab.client.sealed.LinkStep;
import io.confab.client.sealed.LinkStep.Stage;
import io.confab.client.sealed.Links;
import io.confab.client.sealed.Note;
import io.confab.client.sealed.Opened;
import io.confab.client.sealed.Received;
import io.confab.client.sealed.Recovered;
import io.confab.client.sealed.RecoveryKey;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinkingTest {
  private final MemoryServer server = new MemoryServer();
  private final List<Pause> pauses = new ArrayList<>();
  private Path temp;
  private Instant now = Person.NOW;
  private Person old;
  private Person bob;
  private Linked given;
  private Linked fresh;

  @BeforeEach
  void start(@TempDir Path folder) {
    temp = folder;
    old = Person.ready(server, temp, 17, "old");
    bob = Person.ready(server, temp, 18, "bob");
    server.members.addAll(List.of(old.account, bob.account));
    given = new Linked(old);
    fresh = new Linked(new Person(server, temp, 17, "fresh"));
    fresh.attendance.queued(new QueueEvent.Due());
  }

  @AfterEach
  void stop() {
    List.of(old, bob, fresh.person).forEach(Person::close);
  }

  private record Pause(Instant end, Promise<Void> over) {}

  /// The time is later, and the pauses are over that end before.
  private void pass(Duration span) {
    now = now.plus(span);
    List<Pause> ended = pauses.stream().filter(pause -> !pause.end().isAfter(now)).toList();
    pauses.removeAll(ended);
    ended.forEach(pause -> pause.over().complete());
  }

  /// A device that links, and what its person is told.
  private final class Linked implements QueueCalls {
    private final Person person;
    private final List<LinkStep> steps = new ArrayList<>();
    private final List<String> opens = new ArrayList<>();
    private final List<SealedState> states = new ArrayList<>();
    private final Attendance attendance;
    private final Linking linking;

    private Linked(Person person) {
      this.person = person;
      SealedListener listener =
          new SealedListener() {
            @Override
            public void state(SealedState state) {
              states.add(state);
            }
          };
      QueueDrain drain = new QueueDrain(this, person.roster, person.device, _ -> {});
      attendance =
          new Attendance(
              person.keys, person.roster, drain, person.sends, _ -> {}, listener, () -> Person.NOW);
      Letters letters = person.letters;
      linking =
          new Linking(
              person.account,
              person.roster,
              person.claims,
              letters,
              person.device,
              this::pause,
              () -> now,
              attendance,
              steps::add);
    }

    private Future<Void> pause(Duration span) {
      Promise<Void> over = Promise.promise();
      pauses.add(new Pause(now.plus(span), over));
      return over.future();
    }

    @Override
    public void open(@Nullable Epoch epoch, QueueSeq after) {
      opens.add("open");
      person.sealed.goOn(MemoryServer.EPOCH, new QueueSeq(1), false);
    }

    @Override
    public void acknowledge(Epoch epoch, QueueSeq upTo) {}

    @Override
    public void reject(Epoch epoch, QueueSeq queueSeq, String reason) {}

    @Override
    public void startOver() {}

    /// Opens what waits.
    private void hear() {
      List<Received> waiting =
          server.queue(person.account, person.name).stream().map(QueueDrain::received).toList();
      for (Opened one : person.device.ask(own -> own.open(waiting)).result()) {
        if (one instanceof Opened.Noted noted) {
          linking.take(noted.note());
        }
      }
    }

    private List<Stage> stages() {
      return steps.stream().map(LinkStep::stage).distinct().toList();
    }
  }

  private void prove() {
    LinkCode code = fresh.linking.offer().result();
    given.hear();
    given.linking.type(code);
    fresh.hear();
    given.hear();
  }

  private void move() {
    for (int i = 0; i < 20; i++) {
      fresh.hear();
      given.hear();
    }
  }

  @Test
  void aDeviceIsLinkedByTheCodeAndOnePersonsYes() {
    bob.sends.say(MemoryServer.ROOM, "before");
    old.hear(server);
    assertThat(fresh.states).containsExactly(SealedState.NOT_LINKED);
    assertThat(fresh.opens).isEmpty();
    prove();
    assertThat(given.stages()).containsExactly(Stage.OFFERED, Stage.TYPED, Stage.PROVEN);
    assertThat(fresh.opens).containsExactly("open");
    given.linking.decide(true);
    move();
    assertThat(fresh.stages()).contains(Stage.PROVEN, Stage.JOINED, Stage.DONE);
    assertThat(given.stages()).endsWith(Stage.DONE);
    assertThat(fresh.states).endsWith(SealedState.READY);
    assertThat(fresh.opens).containsExactly("open");
    assertThat(fresh.person.texts()).containsExactly("before");
    assertThat(server.count("signDevice")).isEqualTo(1);

    bob.sends.say(MemoryServer.ROOM, "after");
    assertThat(fresh.person.hear(server)).containsExactly("after");
  }

  /// The program of the new device ends and begins anew.
  private void restart() {
    fresh.person.close();
    fresh = new Linked(new Person(server, temp, 17, "fresh"));
    fresh.linking.resume();
    fresh.attendance.queued(new QueueEvent.Due());
  }

  @Test
  void aDeviceThatIsKilledBeforeItHasTheIdentityHearsTheRest() {
    prove();
    restart();
    assertThat(fresh.opens).containsExactly("open");
    given.linking.decide(true);
    move();
    assertThat(fresh.stages()).endsWith(Stage.DONE);
    assertThat(fresh.states).endsWith(SealedState.READY);
    assertThat(fresh.person.sealed.links().isExpecting()).isFalse();
  }

  @Test
  void aDeviceThatIsKilledBeforeItSaysThatItJoinedSaysSoThen() {
    prove();
    given.linking.decide(true);
    Links links = fresh.person.sealed.links();
    fresh.person.sealed.open(
        server.queue(old.account, fresh.person.name).stream().map(QueueDrain::received).toList());
    for (Note note : fresh.person.sealed.inbox()) {
      links.take(note, now);
    }
    assertThat(fresh.person.sealed.isSigned()).isTrue();
    restart();
    move();
    assertThat(server.count("signDevice")).isEqualTo(1);
    assertThat(fresh.stages()).endsWith(Stage.DONE);
    assertThat(given.stages()).endsWith(Stage.DONE);
    assertThat(fresh.person.sealed.links().isExpecting()).isFalse();
    restart();
    assertThat(fresh.steps).isEmpty();
  }

  /// Its person removed it, or it was away for too long: what it published first was not signed.
  @Test
  void aLinkedDeviceThatTheServerForgotComesBackSigned() {
    prove();
    given.linking.decide(true);
    move();
    server.remove(fresh.person.account, fresh.person.name);
    assertThat(fresh.person.keys.start().result()).isEqualTo(SealedState.READY);
    assertThat(server.count("signDevice")).isEqualTo(2);
    bob.sends.say(MemoryServer.ROOM, "after");
    assertThat(server.queue(fresh.person.account, fresh.person.name)).hasSize(1);
    assertThat(fresh.person.sealed.dueSignature()).isEmpty();
  }

  /// It was left unlinked and so long away that the server forgot it.
  @Test
  void aDeviceThatWasPublishedUnsignedAndForgottenIsRecovered() {
    Recovering olds =
        new Recovering(old.account, old.calls, old.roster, old.device, () -> now, old);
    RecoveryKey key = olds.make().result().orElseThrow();
    fresh.linking.offer();
    server.remove(fresh.person.account, fresh.person.name);
    Person person = fresh.person;
    Recovering recovering =
        new Recovering(
            person.account, person.calls, person.roster, person.device, () -> now, person);
    assertThat(recovering.open(key).result().outcome()).isEqualTo(Recovered.DONE);
    assertThat(person.keys.start().result()).isEqualTo(SealedState.READY);
  }

  /// It made an identity of its own a moment too late.
  @Test
  void theLaterOfTwoFirstWindowsIsLinkedAsAnyOther() {
    Opaque first = server.identities.remove(old.account);
    server.signed = account -> server.identities.put(account, first);
    fresh.person.close();
    fresh = new Linked(new Person(server, temp, 17, "late"));
    fresh.attendance.queued(new QueueEvent.Due());
    assertThat(fresh.states).containsExactly(SealedState.NOT_LINKED);
    assertThat(server.count("sign")).isEqualTo(3);
    bob.sends.say(MemoryServer.ROOM, "before");
    old.hear(server);
    prove();
    given.linking.decide(true);
    move();
    assertThat(fresh.states).endsWith(SealedState.READY);
    assertThat(fresh.person.texts()).containsExactly("before");
    assertThat(fresh.person.sealed.ownIdentity()).contains(first);
    bob.sends.say(MemoryServer.ROOM, "after");
    assertThat(fresh.person.hear(server)).containsExactly("after");
  }

  /// Until the server has the signature, others seal nothing for the new device.
  @Test
  void linesWaitUntilTheNewDeviceIsSignedAtTheServer() {
    bob.sends.say(MemoryServer.ROOM, "before");
    old.hear(server);
    prove();
    server.refuse("signDevice", Refusals.of(ErrorCode.FORBIDDEN));
    given.linking.decide(true);
    fresh.hear();
    assertThat(server.count("signDevice")).isEqualTo(1);
    assertThat(fresh.stages()).endsWith(Stage.JOINED);
    assertThat(fresh.person.texts()).isEmpty();
    int sent = server.loose.size();
    assertThat(given.stages()).doesNotContain(Stage.DONE);
    given.hear();
    assertThat(server.loose).hasSizeGreaterThan(sent);
  }

  @Test
  void anUnsignedDeviceOpensItsQueueOnceOnEachConnection() {
    fresh.linking.offer();
    fresh.linking.offer();
    assertThat(fresh.opens).hasSize(1);
    fresh.attendance.queued(new QueueEvent.Due());
    assertThat(fresh.opens).hasSize(2);
    assertThat(fresh.states).containsOnly(SealedState.NOT_LINKED);
  }

  @Test
  void whoHasNoOtherDeviceIsToldSo() {
    Linked only = new Linked(Person.ready(server, temp, 19, "only"));
    assertThat(only.linking.offer().cause())
        .isInstanceOfSatisfying(
            ApiException.class, failure -> assertThat(failure.is(ErrorCode.NOT_FOUND)).isTrue());
    only.person.close();
  }

  @Test
  void aPieceThatCannotBeSentEndsIt() {
    prove();
    server.refuse("loose", Refusals.of(ErrorCode.FORBIDDEN));
    given.linking.decide(true);
    assertThat(given.stages()).endsWith(Stage.BROKEN);
    assertThat(given.linking.decide(true).result()).isEmpty();
    fresh.hear();
    assertThat(fresh.stages()).endsWith(Stage.LEFT);
  }

  @Test
  void anOutageEndsNothing() {
    prove();
    ApiException[] outage = new ApiException[20];
    Arrays.fill(outage, Refusals.unreachable());
    server.refuse("loose", outage);
    given.linking.decide(true);
    server.refuse("loose", outage);
    move();
    assertThat(fresh.stages()).endsWith(Stage.DONE);
    assertThat(given.stages()).endsWith(Stage.DONE).doesNotContain(Stage.BROKEN);
  }

  @Test
  void whatNobodyWaitsForAnyMoreIsNotSentForEver() {
    prove();
    server.refuse("loose", Refusals.unreachable(), Refusals.unreachable());
    server.sending = () -> now = now.plus(Duration.ofMinutes(6));
    given.linking.decide(true);
    server.sending = () -> {};
    assertThat(given.stages()).endsWith(Stage.BROKEN);
  }

  @Test
  void whatCameBeforeTheProgramEndedIsTakenThen() {
    LinkCode code = fresh.linking.offer().result();
    List<Received> waiting =
        server.queue(old.account, old.name).stream().map(QueueDrain::received).toList();
    old.roster.doubtAll();
    old.roster.learn(List.of(old.account));
    old.sealed.open(waiting);
    assertThat(given.steps).isEmpty();
    given.linking.resume();
    assertThat(given.stages()).containsExactly(Stage.OFFERED);
    given.linking.resume();
    assertThat(given.steps).hasSize(1);
    assertThat(given.linking.type(code).result()).isPresent();
  }

  @Test
  void aCodeIsOverAfterTenMinutesOfTheClock() {
    LinkCode code = fresh.linking.offer().result();
    given.hear();
    now = now.plus(Duration.ofMinutes(10));
    assertThat(given.linking.type(code).result()).isEmpty();
  }

  @Test
  void whatIsOverIsToldThenAndNotAtTheNextLook() {
    fresh.linking.offer();
    given.hear();
    pass(Duration.ofMinutes(5));
    LinkCode code = fresh.linking.offer().result();
    given.hear();
    given.linking.type(code);
    pass(Duration.ofMinutes(5).plusSeconds(1));
    assertThat(fresh.steps).isEmpty();
    pass(Duration.ofMinutes(5));
    assertThat(fresh.stages()).containsExactly(Stage.TOO_LATE);
    assertThat(given.stages()).endsWith(Stage.TOO_LATE);
    assertThat(pauses).isEmpty();
  }

  @Test
  void aRequestThatCannotBeSentIsNone() {
    server.refuse("loose", Refusals.of(ErrorCode.FORBIDDEN));
    assertThat(fresh.linking.offer().failed()).isTrue();
    assertThat(fresh.person.sealed.links().nextEnd()).isEmpty();
    pass(Duration.ofMinutes(11));
    assertThat(fresh.steps).isEmpty();
  }

  @Test
  void aRequestWaitsUntilTheServerSaysWhoseItIs() {
    LinkCode code = fresh.linking.offer().result();
    server.refuse("query", Refusals.unreachable(), Refusals.unreachable());
    given.hear();
    assertThat(given.steps).isEmpty();
    pass(Duration.ofSeconds(6));
    assertThat(given.steps).isEmpty();
    pass(Duration.ofSeconds(6));
    assertThat(given.stages()).containsExactly(Stage.OFFERED);
    assertThat(given.linking.type(code).result()).isPresent();
  }

  @Test
  void aRequestOfWhichTheServerSaysNothingIsKept() {
    fresh.linking.offer();
    server.refuse("query", Refusals.of(ErrorCode.FORBIDDEN));
    given.hear();
    assertThat(given.steps).isEmpty();
    given.linking.resume();
    assertThat(given.stages()).containsExactly(Stage.OFFERED);
  }

  @Test
  void threeWrongCodesLockIt() {
    assertThat(given.linking.isLocked().result()).isFalse();
    List<LinkCode> codes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      codes.add(fresh.linking.offer().result());
      given.hear();
      if (i > 0) {
        given.linking.type(codes.get(i - 1));
        fresh.hear();
        given.hear();
      }
    }
    assertThat(given.stages()).endsWith(Stage.WRONG_CODE);
    assertThat(given.linking.isLocked().result()).isTrue();
    assertThat(given.linking.type(codes.getLast()).result()).isEmpty();
  }
}
