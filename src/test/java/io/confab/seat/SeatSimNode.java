package io.confab.seat;

import io.confab.feed.SeatNews;
import io.confab.protocol.AccountId;
import io.confab.seat.RedisSeats.Claim;
import io.confab.seat.RedisSeats.Entry;
import io.confab.seat.SeatAnswer.Done;
import io.confab.seat.SeatPlace.Opened;
import io.confab.testing.RecordingAnnouncer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A node of [SeatWorld], with the sessions of its sockets. What comes while it is frozen waits;
/// what came to one that died meets nobody.
final class SeatSimNode {
  private static final long BEAT = 3_000;
  private static final long LOOK = 1_000;

  /// After so long in which it saw Redis, and did not stand still, a node has said what it knows.
  private static final long WELL = 20_000;

  private final SeatWorld world;
  private final int number;
  private final Map<AccountId, Held> sessions = new HashMap<>();
  private SeatEpochs epochs;
  private SeatRooms rooms;
  private int life;
  private long frozenUntil;
  private long wellFor;

  /// What it knows of an account with a session here.
  private static final class Held {
    private boolean inside;
    private boolean waiting;
    private long ticket;
    private long connectedAt;

    /// That of the room's seats when it was known to wait.
    private long version;

    /// The version of which a signal told that it was given a seat, and when that was.
    private long given;

    private long givenAt = Long.MIN_VALUE;

    /// When the call was sent by which that is known.
    private long sentAt;
  }

  SeatSimNode(SeatWorld world, int number) {
    this.world = world;
    this.number = number;
    this.epochs = epochs();
    this.rooms = rooms();
  }

  private SeatEpochs epochs() {
    return new SeatEpochs(world::instances, world::look, () -> world.timing().nanoTime());
  }

  private SeatGate gate() {
    return new SeatGate(world.timing(), new SplittableRandom(1));
  }

  private SeatRooms rooms() {
    return new SeatRooms(
        epochs, world.consents(), new RecordingAnnouncer(), _ -> {}, gate(), world.timing());
  }

  void start() {
    int begun = life;
    every(LOOK, begun, this::look);
    every(BEAT, begun, this::beat);
    every(250, begun, this::sweep);
  }

  private void every(long period, int begun, Runnable work) {
    world.after(
        period + number,
        () ->
            awake(
                begun,
                () -> {
                  work.run();
                  every(period, begun, work);
                }));
  }

  /// Now, or when it wakes up; not if it has died.
  private void awake(int begun, Runnable work) {
    if (begun != life) {
      return;
    }
    if (isAwake()) {
      work.run();
    } else {
      world.after(frozenUntil - world.now(), () -> awake(begun, work));
    }
  }

  boolean isAwake() {
    return world.now() >= frozenUntil;
  }

  void freeze(long millis) {
    frozenUntil = Math.max(frozenUntil, world.now() + millis);
    wellFor = 0;
  }

  /// It starts again without anything.
  void kill() {
    life++;
    sessions.clear();
    epochs = epochs();
    rooms = rooms();
    wellFor = 0;
    start();
  }

  void connect(AccountId account) {
    Held held = new Held();
    held.connectedAt = world.now();
    sessions.put(account, held);
    enter(account, true, null, null);
  }

  Future<?> exit(AccountId account) {
    sessions.remove(account);
    return run(
        List.of(),
        at ->
            world.script(
                at,
                moment -> world.seats().leave(moment, SeatNews.LEFT, List.of(account)),
                List.of()));
  }

  void disconnect(AccountId account) {
    sessions.remove(account);
    run(
        List.of(),
        at -> world.script(at, moment -> world.seats().disconnected(moment, account), List.of()));
  }

  void poll(AccountId account, @Nullable Long ticket, Promise<@Nullable Long> answered) {
    enter(account, false, ticket, answered);
  }

  private void enter(
      AccountId account,
      boolean session,
      @Nullable Long ticket,
      @Nullable Promise<@Nullable Long> answered) {
    if (world.bug == SeatBug.CHECK_THEN_ACT && session) {
      checkThenAct(account);
      return;
    }
    Opened place = ticket == null ? null : new Opened(ticket, 0, Duration.ZERO);
    Entry entry = new Entry(account, session, place, null);
    Future<Optional<Done>> done =
        run(
            session ? List.of(account) : List.of(),
            at -> world.script(at, moment -> world.seats().enter(moment, entry), List.of(account)));
    if (answered != null) {
      done.map(found -> found.map(it -> it.standing(0)).orElseGet(Standing.Out::new))
          .<@Nullable Long>map(
              standing ->
                  standing instanceof Standing.InLine(_, long fresh, _)
                      ? Long.valueOf(fresh)
                      : null)
          .onComplete(answered);
    }
  }

  /// The bug: first a look whether there is room, and then a seat whatever has happened since.
  private void checkThenAct(AccountId account) {
    run(List.of(), at -> world.script(at, moment -> world.seats().visit(moment), List.of(account)))
        .onSuccess(
            done ->
                done.filter(found -> found.numbers().inside() < SeatWorld.SEATS)
                    .ifPresent(
                        _ -> {
                          Held held = sessions.get(account);
                          if (held != null) {
                            held.inside = true;
                            held.sentAt = world.now();
                          }
                        }));
  }

  private void beat() {
    List<AccountId> accounts = new ArrayList<>(sessions.keySet());
    if (accounts.isEmpty()) {
      return;
    }
    run(
        accounts,
        at -> {
          List<Claim> claims =
              accounts.stream()
                  .map(account -> new Claim(account, claim(account, at.terms()), 0))
                  .toList();
          return world.script(at, moment -> world.seats().beat(moment, claims), accounts);
        });
  }

  private String claim(AccountId account, SeatTerms terms) {
    Held held = sessions.get(account);
    if (held == null || world.bug == SeatBug.NOTHING_CLAIMED) {
      return "";
    }
    Duration age = Duration.ofMillis(world.now() - held.sentAt);
    if (held.inside) {
      return SeatClaims.isGood(age, RedisSeats.GRACE, terms) ? Claim.SEAT : "";
    }
    return held.waiting ? Long.toString(held.ticket) : "";
  }

  private void look() {
    wellFor += epochs.terms().isPresent() ? LOOK : 0;
    epochs.look();
  }

  private void sweep() {
    run(List.of(), at -> world.script(at, moment -> world.seats().visit(moment), List.of()));
  }

  private Future<Optional<Done>> run(List<AccountId> accounts, SeatRooms.Transition transition) {
    int begun = life;
    long sent = world.now();
    Promise<Optional<Done>> answered = Promise.promise();
    rooms
        .run(SeatWorld.ROOM, null, transition)
        .onComplete(
            result ->
                awake(
                    begun,
                    () -> {
                      if (result.succeeded()) {
                        result.result().ifPresent(done -> learn(accounts, done, sent));
                      }
                      answered.handle(result);
                    }));
    return answered.future();
  }

  private void learn(List<AccountId> accounts, Done done, long sent) {
    for (int i = 0; i < accounts.size(); i++) {
      Held held = sessions.get(accounts.get(i));
      if (held == null || held.sentAt > sent || held.connectedAt > sent) {
        continue;
      }
      Standing standing = done.standing(i);
      boolean isOld =
          switch (standing) {
            case Standing.In _ -> false;
            case Standing.InLine _ -> done.numbers().version() < held.given;
            case Standing.Offer _, Standing.Out _ -> true;
          };
      if (isOld && sent < held.givenAt) {
        continue; // it looks again
      }
      boolean isNew = world.now() - held.connectedAt < WELL;
      if (standing instanceof Standing.Out && isWell() && !isNew && (held.waiting || held.inside)) {
        world.violations.add("lost: at " + world.now() + " " + accounts.get(i) + " has nothing");
      }
      if (standing instanceof Standing.Out) {
        world.lapsed(accounts.get(i));
      }
      held.inside = standing instanceof Standing.In;
      if (standing instanceof Standing.InLine(_, long ticket, _)) {
        held.waiting = true;
        held.ticket = ticket;
        held.version = done.numbers().version();
      } else {
        held.waiting = false;
      }
      held.sentAt = sent;
    }
  }

  /// A signal; it may come late, but it may come. Who waited goes by a seat that it was given.
  void hear(SeatChange change, long version) {
    Held held = sessions.get(change.account());
    if (!isAwake() || held == null || change.kind() != SeatNews.INSIDE || !held.waiting) {
      return;
    }
    if (held.version < version || world.bug == SeatBug.OLD_NEWS) {
      held.inside = true;
      held.waiting = false;
      held.given = version;
      held.givenAt = world.now();
    }
  }

  /// Whom it lets speak now.
  Set<AccountId> honoured() {
    if (!isAwake()) {
      return new HashSet<>();
    }
    return sessions.entrySet().stream()
        .filter(
            entry ->
                entry.getValue().inside
                    && world.now() - entry.getValue().sentAt < SeatCommand.LEASE.toMillis())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /// Whether a session of the account was here since then, and all that time it was well enough to
  /// say so.
  boolean hasSpokenFor(AccountId account, long since) {
    Held held = sessions.get(account);
    return isWell() && held != null && held.connectedAt <= since && !world.hasSeat(account);
  }

  private boolean isWell() {
    return isAwake() && wellFor > WELL && epochs.terms().isPresent();
  }
}
