package io.confab.seat;

import io.confab.feed.SeatNews;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.redis.RedisInstance;
import io.confab.redis.RedisInstances;
import io.confab.seat.RedisSeats.Visit;
import io.confab.seat.SeatAnswer.Done;
import io.confab.seat.SeatRules.Moment;
import io.confab.seat.SeatStore.Consent;
import io.confab.seat.SeatStore.Looked;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Nodes, a Redis by [SeatRules] and a database beside each other, in time that passes by events.
/// Messages take a while; what happens at one place happens in its order. Redis loses its data, is
/// another one, freezes and goes away; nodes freeze and die.
///
/// The nodes know the seats by the product's own code: [SeatEpochs], [SeatRooms], [SeatClaims].
final class SeatWorld {
  static final RoomId ROOM = new RoomId(1);
  static final int SEATS = 3;
  private static final int NODES = 3;
  private static final int PEOPLE = 12;
  private static final long SECOND = 1_000;

  /// Wall clock of all, and of Redis.
  private static final long EPOCH_START = 1_700_000_000_000L;

  final Random dice;
  final SeatBug bug;
  final List<String> violations = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<SeatSimNode> nodes = new ArrayList<>();
  private final Map<AccountId, SeatSimNode> homes = new HashMap<>();
  private final Set<AccountId> polling = new HashSet<>();
  private long now;
  private long sequence;
  int admitted;

  /// Whose exits are not answered. They come back after that only: another node may go by a seat
  /// until it hears that it was given up (docs/reliability.md).
  private final Set<AccountId> leaving = new HashSet<>();

  /// Since when those wait who have neither left nor lapsed nor come inside.
  private final Map<AccountId, Long> joined = new HashMap<>();

  // Redis
  private SeatRules seats;
  private int instance = 1;
  private boolean isThere = true;
  private long frozenUntil;
  private long keyEpoch;

  /// As of [SeatNumbers].
  private long version;
  private boolean hasKeys;

  // the database
  private long epoch = 1;
  private @Nullable String instances;
  private @Nullable Long raisedAt;
  private long away;
  private long seenAt;
  private @Nullable Long resumedAt;
  private long openedEpoch;
  private long openings;
  private long openedAt;

  private record Event(long at, long number, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
    }
  }

  SeatWorld(long seed, SeatBug bug) {
    this.dice = new Random(seed * 0x9E3779B97F4A7C15L);
    this.bug = bug;
    this.seats = new SeatRules(bug);
    for (int i = 0; i < NODES; i++) {
      nodes.add(new SeatSimNode(this, i));
    }
  }

  long now() {
    return now;
  }

  void after(long millis, Runnable what) {
    sequence++;
    events.add(new Event(now + millis, sequence, what));
  }

  long delay() {
    return 1L + (dice.nextInt(20) == 0 ? dice.nextInt(300) : dice.nextInt(4));
  }

  /// Of a signal, which may lie in the buffers of who stood still.
  private long lateness() {
    return dice.nextInt(20) == 0 ? dice.nextInt((int) (30 * SECOND)) : delay();
  }

  Timing timing() {
    return new Timing() {
      @Override
      public long nanoTime() {
        return Duration.ofMillis(now).toNanos();
      }

      @Override
      public Future<Void> pause(Duration duration) {
        Promise<Void> over = Promise.promise();
        after(duration.toMillis(), over::complete);
        return over.future();
      }
    };
  }

  /// Lives through so many seconds.
  void run(int seconds) {
    nodes.forEach(SeatSimNode::start);
    after(0, this::live);
    after(5 * SECOND, this::strike);
    long end = seconds * SECOND;
    while (!events.isEmpty() && violations.isEmpty()) {
      Event next = events.poll();
      if (next.at() > end) {
        return;
      }
      now = next.at();
      next.what().run();
      checkSeats();
    }
  }

  // What people do.

  private void live() {
    AccountId account = new AccountId(1 + dice.nextInt(PEOPLE));
    SeatSimNode home = homes.get(account);
    if (home == null && !polling.contains(account)) {
      if (account.value() % 4 == 0) {
        polling.add(account);
        poll(account, null);
      } else {
        connect(account);
      }
    } else if (home != null) {
      if (dice.nextInt(3) == 0) {
        homes.remove(account);
        leaving.add(account);
        home.exit(account).onComplete(_ -> leaving.remove(account));
      } else if (dice.nextInt(2) == 0) {
        home.disconnect(account);
        homes.remove(account);
        after(dice.nextInt(30_000), () -> comeBack(account));
      }
    } else if (dice.nextInt(4) == 0) {
      polling.remove(account);
    }
    after(200 + dice.nextInt(2_000), this::live);
  }

  private void comeBack(AccountId account) {
    if (!homes.containsKey(account)) {
      connect(account);
    }
  }

  private void connect(AccountId account) {
    SeatSimNode node = nodes.get(dice.nextInt(NODES));
    if (node.isAwake() && !leaving.contains(account)) {
      homes.put(account, node);
      node.connect(account);
    }
  }

  private void poll(AccountId account, @Nullable Long ticket) {
    if (!polling.contains(account)) {
      return;
    }
    SeatSimNode node = nodes.get(dice.nextInt(NODES));
    Promise<@Nullable Long> answered = Promise.promise();
    node.poll(account, ticket, answered);
    answered
        .future()
        .onComplete(
            next ->
                after(10 * SECOND, () -> poll(account, next.succeeded() ? next.result() : ticket)));
  }

  // What befalls them.

  private void strike() {
    SeatSimNode node = nodes.get(dice.nextInt(NODES));
    switch (dice.nextInt(7)) {
      case 0 -> lose();
      case 1 -> {
        lose();
        instance++;
      }
      case 2 -> frozenUntil = now + 500 + dice.nextInt(25_000);
      case 3 -> {
        isThere = false;
        after(500 + dice.nextInt(25_000), () -> returnOther(dice.nextBoolean()));
      }
      case 4 -> node.freeze(500 + dice.nextInt(25_000));
      case 5 -> kill(node);
      default -> {}
    }
    after((5 + dice.nextInt(40)) * SECOND, this::strike);
  }

  private void lose() {
    hasKeys = false;
    seats = new SeatRules(bug);
  }

  private void returnOther(boolean empty) {
    isThere = true;
    instance++;
    if (empty) {
      lose();
    }
  }

  private void kill(SeatSimNode node) {
    homes.values().removeIf(node::equals);
    node.kill();
  }

  // Redis and the database, as nodes reach them.

  /// Carries out a call when it gets there, and answers when the answer is back.
  private <T> Future<T> remotely(Supplier<Optional<T>> work) {
    Promise<T> answer = Promise.promise();
    after(delay(), () -> carryOut(work, answer));
    return answer.future();
  }

  private <T> void carryOut(Supplier<Optional<T>> work, Promise<T> answer) {
    Optional<T> result = work.get();
    after(delay(), () -> result.ifPresentOrElse(answer::complete, () -> answer.fail("it is away")));
  }

  private <T> Future<T> inRedis(Supplier<T> work) {
    Promise<T> answer = Promise.promise();
    after(delay(), () -> whenThawed(work, answer));
    return answer.future();
  }

  private <T> void whenThawed(Supplier<T> work, Promise<T> answer) {
    if (now < frozenUntil) {
      after(frozenUntil - now, () -> whenThawed(work, answer));
    } else {
      carryOut(() -> isThere ? Optional.of(work.get()) : Optional.empty(), answer);
    }
  }

  private String runId() {
    return "r" + instance;
  }

  Future<RedisInstances> instances() {
    return inRedis(
        () -> new RedisInstances(List.of(new RedisInstance(runId(), EPOCH_START + now)), true));
  }

  Future<Looked> look(List<String> seen, long known, boolean sure, boolean isAll) {
    return remotely(() -> Optional.of(lookNow(seen.getFirst(), known, sure)));
  }

  private Looked lookNow(String seen, long known, boolean sure) {
    long last = Math.max(raisedAt == null ? -1 : raisedAt, resumedAt == null ? -1 : resumedAt);
    long calm = (raisedAt != null && raisedAt == last ? 12 : 17) * SECOND;
    long mute = last >= 0 && seenAt - last < calm ? away + now - last : now - seenAt;
    if (instances == null) {
      instances = seen;
    } else if (epoch < known || (sure && !seen.equals(instances))) {
      epoch = Math.max(epoch, known) + 1;
      raisedAt = now;
      away = mute;
      instances = seen;
    } else if (seen.equals(instances) && seenAt < now - 8 * SECOND) {
      away = mute;
      resumedAt = now;
      if (raisedAt != null && raisedAt > seenAt - 15 * SECOND) {
        raisedAt = now;
      }
    }
    boolean isRaised = raisedAt != null && raisedAt == now;
    if (seen.equals(instances) && (isRaised || seenAt < now - 2 * SECOND)) {
      seenAt = now;
    }
    return new Looked(
        epoch,
        List.of(instances),
        Optional.ofNullable(bug == SeatBug.NO_PAUSE ? null : raisedAt)
            .map(at -> Duration.ofMillis(now - at)),
        Duration.ofMillis(away),
        Optional.ofNullable(resumedAt).map(at -> Duration.ofMillis(now - at)));
  }

  SeatRooms.Consents consents() {
    return new SeatRooms.Consents() {
      @Override
      public Future<Consent> open(RoomId room, long asked) {
        return remotely(() -> Optional.of(openNow(asked)));
      }

      @Override
      public Future<Void> note(RoomId room) {
        return Future.succeededFuture();
      }
    };
  }

  private Consent openNow(long asked) {
    if (asked != epoch) {
      return new Consent.Stale();
    }
    boolean lost = openedEpoch == asked;
    if (lost && openedAt > now - 2 * SECOND) {
      return new Consent.Later();
    }
    openedEpoch = asked;
    openings++;
    openedAt = now;
    return new Consent.Given(new SeatOpening(asked, openings, lost), new Capacity(SEATS, 1, 0));
  }

  /// @param rule what happens by the rules
  Future<SeatAnswer> script(Visit at, Consumer<Moment> rule, List<AccountId> accounts) {
    return inRedis(() -> scriptNow(at, rule, accounts));
  }

  private SeatAnswer scriptNow(Visit at, Consumer<Moment> rule, List<AccountId> accounts) {
    SeatTerms terms = at.terms();
    if (!terms.instances().contains(runId())) {
      return new SeatAnswer.Moved();
    }
    if (EPOCH_START + now > terms.goodUntil()) {
      return new SeatAnswer.Late();
    }
    long there = hasKeys ? keyEpoch : 0;
    if (there > terms.epoch()) {
      return new SeatAnswer.Stale(there);
    }
    SeatOpening opening = at.opening();
    if (there < terms.epoch()) {
      if (opening == null) {
        return new SeatAnswer.Absent();
      }
      seats = new SeatRules(bug);
      seats.open(opening.number(), opening.lost(), now);
      hasKeys = true;
      keyEpoch = terms.epoch();
    }
    rule.accept(new Moment(now, at.capacity(), terms.pause().toMillis(), terms.calm().toMillis()));
    List<SeatChange> changes = seats.changes();
    changes.forEach(this::checkOrder);
    version += changes.isEmpty() ? 0 : 1;
    long told = version;
    nodes.forEach(
        node -> changes.forEach(change -> after(lateness(), () -> node.hear(change, told))));
    return new Done(
        new SeatNumbers(
            EPOCH_START + now,
            0,
            false,
            seats.inside(),
            seats.offers(),
            0,
            SEATS,
            seats.began(),
            version),
        accounts.stream().map(account -> words(seats.standing(account, now))).toList(),
        changes);
  }

  private static List<String> words(Standing standing) {
    return switch (standing) {
      case Standing.In _ -> List.of("in");
      case Standing.InLine(long ahead, long ticket, _) ->
          List.of("waiting", Long.toString(ahead), Long.toString(ticket), "");
      case Standing.Offer(long until) -> List.of("offer", Long.toString(until));
      case Standing.Out _ -> List.of("outside");
    };
  }

  SeatRules seats() {
    return seats;
  }

  // What must hold.

  /// Inside by Redis or by a node, and offers.
  private void checkSeats() {
    Set<AccountId> taken = new TreeSet<>((a, b) -> Long.compare(a.value(), b.value()));
    nodes.forEach(node -> taken.addAll(node.honoured()));
    LongStream.rangeClosed(1, PEOPLE)
        .mapToObj(AccountId::new)
        .filter(this::hasSeat)
        .forEach(taken::add);
    if (taken.size() > SEATS) {
      violations.add("seats: at " + now + " " + taken + " are inside");
    }
  }

  /// Its node, in trouble, let it lose what it had.
  void lapsed(AccountId account) {
    joined.remove(account);
  }

  /// In Redis, or an offer.
  boolean hasSeat(AccountId account) {
    return hasKeys && seats.hasSeat(account);
  }

  /// Nobody who stayed, with a node that is well, is let past by one that came later.
  private void checkOrder(SeatChange change) {
    AccountId account = change.account();
    if (change.kind() == SeatNews.WAITING) {
      joined.putIfAbsent(account, now);
      return;
    }
    Long came =
        change.kind() == SeatNews.OFFER // it may be lost before it is taken up
            ? joined.get(account)
            : joined.remove(account);
    if (came == null || change.kind().loss() != null) {
      return;
    }
    admitted++;
    if (!homes.containsKey(account)) {
      return; // a poll may claim what it did not hear to have ended
    }
    joined.forEach(
        (other, at) -> {
          SeatSimNode home = homes.get(other);
          if (at < came && home != null && home.hasSpokenFor(other, at)) {
            violations.add("order: at " + now + " " + account + " is let past " + other);
          }
        });
  }
}
