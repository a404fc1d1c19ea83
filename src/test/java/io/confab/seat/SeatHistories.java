package io.confab.seat;

import io.confab.feed.SeatNews;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.SeatLoss;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisInstance;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisUrl;
import io.confab.seat.RedisSeats.Claim;
import io.confab.seat.RedisSeats.Entry;
import io.confab.seat.RedisSeats.Visit;
import io.confab.seat.SeatAnswer.Done;
import io.confab.seat.SeatPlace.Opened;
import io.confab.seat.SeatRules.Moment;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/// Random histories of a room, each lived through by the scripts on a real Redis and by
/// [SeatRules], which must agree at each step. Time passes in Redis by making all that is there
/// older; the rules get the time that the scripts answer.
public final class SeatHistories implements AutoCloseable {
  private static final int STEPS = 60;
  private static final int ACCOUNTS = 12;
  private static final RedisKeys KEYS = new RedisKeys("histories:");

  private static final String OLDER =
      """
      local by = tonumber(ARGV[1])
      local function text(number) return string.format('%.0f', number) end
      local all = redis.call('ZRANGE', KEYS[3], 0, -1, 'WITHSCORES')
      for i = 1, #all, 2 do redis.call('ZADD', KEYS[3], text(all[i + 1] - by), all[i]) end
      for _, key in ipairs({KEYS[4], KEYS[5]}) do
        local hash = redis.call('HGETALL', key)
        for i = 1, #hash, 2 do redis.call('HSET', key, hash[i], text(hash[i + 1] - by)) end
      end
      local times = redis.call('LRANGE', KEYS[6], 0, -1)
      for i = 1, #times do redis.call('LSET', KEYS[6], i - 1, text(times[i] - by)) end
      for _, field in ipairs({'paused', 'claims', 'noted'}) do
        local at = redis.call('HGET', KEYS[7], field)
        if at then redis.call('HSET', KEYS[7], field, text(at - by)) end
      end
      return 1
      """;

  private final Vertx vertx = Vertx.vertx();
  private final RedisCommands commands;
  private final RedisSeats seats;
  private final List<String> instances;

  public SeatHistories(String redis) {
    this.commands = new RedisCommands(vertx, RedisUrl.parse(redis), Duration.ofSeconds(30));
    commands.open();
    Awaitility.await().until(commands::isUp);
    this.seats = new RedisSeats(commands, KEYS);
    this.instances =
        commands.instances().await().found().stream().map(RedisInstance::runId).toList();
  }

  /// The first step of a history at which the two differ; empty: none.
  public static String differences(String redis, long firstSeed, int histories) {
    try (SeatHistories all = new SeatHistories(redis)) {
      return IntStream.range(0, histories)
          .mapToObj(i -> all.difference(firstSeed + i))
          .flatMap(Optional::stream)
          .findFirst()
          .orElse("");
    }
  }

  Optional<String> difference(long seed) {
    return new History(seed).difference();
  }

  @Override
  public void close() {
    commands.close().await();
    vertx.close().await();
  }

  private final class History {
    private final long seed;
    private final Random dice;
    private final RoomId room;
    private final SeatRules rules = new SeatRules(SeatBug.NONE);
    private final Map<AccountId, Claim> remembered = new HashMap<>();
    private boolean isLost = true;
    private long passed;
    private long epoch = 1;
    private long opening;

    /// As the scripts must answer it.
    private long version;

    private long rev;
    private long began;
    private int capacity;

    History(long seed) {
      this.seed = seed;
      this.dice = new Random(seed);
      this.room = new RoomId(seed & Long.MAX_VALUE);
      this.capacity = 1 + dice.nextInt(4);
    }

    Optional<String> difference() {
      for (int step = 0; step < STEPS; step++) {
        Optional<String> found = step();
        if (found.isPresent()) {
          return Optional.of("seed " + seed + ", step " + step + ": " + found.get());
        }
      }
      return Optional.empty();
    }

    private void change(int seats) {
      rev++;
      began = capacity == 0 && seats > 0 ? rev : began;
      capacity = seats;
    }

    private Optional<String> step() {
      pass(dice.nextInt(3) == 0 ? dice.nextInt(40_000) : dice.nextInt(4_000));
      long pause = dice.nextInt(8) == 0 ? 1 + dice.nextInt(15_000) : 0;
      long calm = dice.nextInt(10) == 0 ? 1 + dice.nextInt(20_000) : 0;
      if (dice.nextInt(15) == 0) {
        lose();
      }
      if (dice.nextInt(8) == 0) {
        change(dice.nextInt(12) == 0 ? 0 : 1 + dice.nextInt(5));
        if (dice.nextInt(4) == 0) {
          change(0);
          change(1 + dice.nextInt(5));
        }
      }
      Capacity told = dice.nextInt(4) == 0 ? null : new Capacity(capacity, rev, began);
      AccountId account = new AccountId(1 + dice.nextInt(ACCOUNTS));
      return switch (dice.nextInt(12)) {
        case 0, 1, 2 -> enter(told, pause, calm, some(account), true);
        case 3, 4 -> enter(told, pause, calm, some(account), false);
        case 5, 6, 7 -> {
          List<Claim> claims = claims();
          yield compare(
              "beat " + claims,
              told,
              pause,
              calm,
              at -> seats.beat(at, claims),
              moment -> rules.beat(moment, claims),
              claims.stream().map(Claim::account).toList());
        }
        case 8 ->
            compare(
                "exit " + account,
                told,
                pause,
                calm,
                at -> seats.leave(at, SeatLoss.LEFT, List.of(account)),
                moment -> rules.leave(moment, SeatNews.LEFT, List.of(account)),
                List.of());
        case 9 ->
            compare(
                "disconnected " + account,
                told,
                pause,
                calm,
                at -> seats.disconnected(at, account),
                moment -> rules.disconnected(moment, account),
                List.of(account));
        case 10 ->
            compare(
                "let in " + account,
                told,
                pause,
                calm,
                at -> seats.letIn(at, account),
                moment -> rules.letIn(moment, account),
                List.of(account));
        default ->
            compare(
                "visit",
                told,
                pause,
                calm,
                at -> seats.visit(at, everybody()),
                rules::visit,
                everybody());
      };
    }

    /// That one, and some others behind it.
    private List<AccountId> some(AccountId account) {
      List<AccountId> all = new ArrayList<>(everybody());
      all.remove(account);
      Collections.shuffle(all, dice);
      all.addFirst(account);
      return all.subList(0, 1 + dice.nextInt(3));
    }

    private List<AccountId> everybody() {
      return IntStream.rangeClosed(1, ACCOUNTS).mapToObj(AccountId::new).toList();
    }

    private Optional<String> enter(
        @Nullable Capacity told, long pause, long calm, List<AccountId> accounts, boolean session) {
      List<Entry> entries = accounts.stream().map(account -> entry(account, session)).toList();
      return compare(
          "enter " + entries,
          told,
          pause,
          calm,
          at -> seats.enter(at, entries),
          moment -> entries.forEach(entry -> rules.enter(moment, entry)),
          accounts);
    }

    private Entry entry(AccountId account, boolean session) {
      Claim known = remembered.getOrDefault(account, Claim.none(account));
      if (known.claim().equals(Claim.SEAT)) {
        return new Entry(account, session, null, dice.nextBoolean() ? known.began() : null);
      }
      Opened place =
          known.claim().isEmpty()
              ? null
              : new Opened(Long.parseLong(known.claim()), known.began(), Duration.ZERO);
      return new Entry(account, session, place, null);
    }

    private List<Claim> claims() {
      List<Claim> claims = new ArrayList<>();
      for (AccountId account : everybody()) {
        if (dice.nextInt(3) == 0) {
          claims.add(remembered.getOrDefault(account, Claim.none(account)));
        }
      }
      return claims.isEmpty() ? List.of(Claim.none(new AccountId(1))) : claims;
    }

    /// Redis loses all, with or without a new epoch.
    private void lose() {
      List<String> keys = KEYS.seats(room);
      String one = keys.get(dice.nextBoolean() ? 2 : 6); // check-ins, or the state
      isLost |= commands.send(one, Request.cmd(Command.UNLINK).arg(one)).await().toInteger() == 1;
      if (dice.nextBoolean()) {
        epoch++;
        isLost = true;
      }
    }

    private void pass(long millis) {
      Request request = Request.cmd(Command.EVAL).arg(OLDER).arg(7);
      KEYS.seats(room).forEach(request::arg);
      commands.send(KEYS.seats(room).getFirst(), request.arg(millis)).await();
      passed += millis;
    }

    private Optional<String> compare(
        String what,
        @Nullable Capacity told,
        long pause,
        long calm,
        Function<Visit, Future<SeatAnswer>> inRedis,
        java.util.function.Consumer<Moment> byRules,
        List<AccountId> accounts) {
      SeatTerms terms =
          new SeatTerms(
              epoch,
              instances,
              Long.MAX_VALUE >> 10,
              Duration.ofMillis(pause),
              Duration.ofMillis(calm),
              Duration.ZERO);
      Capacity fresh = told;
      SeatAnswer answer = inRedis.apply(new Visit(room, terms, null, told)).await();
      SeatOpening set = null;
      if (answer instanceof SeatAnswer.Absent) {
        if (!isLost) {
          return Optional.of(what + ": it is lost");
        }
        isLost = false;
        opening++;
        set = new SeatOpening(terms.epoch(), opening, dice.nextBoolean());
        fresh = new Capacity(capacity, rev, began);
        answer = inRedis.apply(new Visit(room, terms, set, fresh)).await();
      }
      if (!(answer instanceof Done done)) {
        return Optional.of(what + ": " + answer);
      }
      long now = done.numbers().now() + passed;
      if (set != null) {
        rules.open(set.number(), set.lost(), now);
        version = set.number() << Integer.SIZE;
      }
      Moment moment = new Moment(now, fresh, pause, calm);
      byRules.accept(moment);
      return difference(what, done, moment, accounts);
    }

    private Optional<String> difference(
        String what, Done done, Moment moment, List<AccountId> accounts) {
      SeatNumbers found = done.numbers();
      List<Long> said =
          List.of(
              found.due(),
              found.inside(),
              found.offers(),
              found.waiting(),
              found.capacity(),
              found.began(),
              found.version());
      version += done.changes().isEmpty() ? 0 : 1;
      List<Long> expected =
          List.of(
              rules.due(moment),
              rules.inside(),
              rules.offers(),
              (long) rules.line().size(),
              rules.capacity(),
              rules.began(),
              version);
      List<Standing> standings = new ArrayList<>();
      List<Standing> right = new ArrayList<>();
      for (int i = 0; i < accounts.size(); i++) {
        Standing standing = done.standing(i);
        standings.add(
            standing instanceof Standing.Offer(long until)
                ? new Standing.Offer(until + passed)
                : standing);
        right.add(rules.standing(accounts.get(i), moment.now()));
        remember(accounts.get(i), standing, found.began());
      }
      List<SeatChange> changes = rules.changes();
      boolean same =
          said.equals(expected)
              && standings.equals(right)
              && new HashSet<>(done.changes()).equals(new HashSet<>(changes));
      return same
          ? Optional.empty()
          : Optional.of(
              "%s at %s: Redis says %s %s %s, the rules %s %s %s"
                  .formatted(
                      what,
                      moment,
                      said,
                      standings,
                      done.changes(),
                      expected,
                      right,
                      Objects.requireNonNull(changes)));
    }

    private void remember(AccountId account, Standing standing, long under) {
      switch (standing) {
        case Standing.In _ -> remembered.put(account, new Claim(account, Claim.SEAT, under));
        case Standing.InLine(_, long ticket, _) ->
            remembered.put(account, new Claim(account, Long.toString(ticket), under));
        case Standing.Offer _, Standing.Out _ -> {} // what it had before, as a node may
      }
    }
  }
}
