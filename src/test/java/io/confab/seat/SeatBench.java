package io.confab.seat;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.SeatLoss;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisInstance;
import io.confab.redis.RedisKeys;
import io.confab.seat.RedisSeats.Claim;
import io.confab.seat.RedisSeats.Entry;
import io.confab.seat.RedisSeats.Visit;
import io.confab.testing.OwnRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What entering, checking in and leaving cost Redis at 100 and at 100,000 waiting, by its own
/// count. Run by `scripts/bench-seats`; not part of the tests.
@Timeout(900)
class SeatBench {
  private static final int SEATS = 100;
  private static final int CALLS = 2_000;
  private static final int AT_ONCE = 100;
  private static final Pattern EVALSHA =
      Pattern.compile("cmdstat_evalsha:calls=(\\d+),usec=(\\d+)");

  private static final SeatTerms CALM =
      new SeatTerms(
          1, List.of(), Long.MAX_VALUE >> 10, Duration.ZERO, Duration.ofHours(1), Duration.ZERO);

  @Test
  @SuppressWarnings("SystemOut")
  void measure() {
    Vertx vertx = Vertx.vertx();
    try (OwnRedis redis = OwnRedis.start()) {
      RedisCommands commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(60));
      commands.open();
      Awaitility.await().until(commands::isUp);
      System.out.println("| waiting | enter | check in | exit | (microseconds of Redis a call)");
      for (int waiting : List.of(100, 100_000)) {
        System.out.println(new Line(commands, waiting).row());
      }
      commands.close().await();
    } finally {
      vertx.close().await();
    }
  }

  private static final class Line {
    private final RedisCommands commands;
    private final RedisSeats seats;
    private final Visit at;
    private final int waiting;

    Line(RedisCommands commands, int waiting) {
      this.commands = commands;
      this.seats = new RedisSeats(commands, new RedisKeys("bench:"));
      this.waiting = waiting;
      List<String> instances =
          commands.instances().await().found().stream().map(RedisInstance::runId).toList();
      SeatTerms terms =
          new SeatTerms(
              CALM.epoch(), instances, CALM.goodUntil(), CALM.pause(), CALM.calm(), CALM.away());
      this.at =
          new Visit(
              new RoomId(waiting),
              terms,
              new SeatOpening(CALM.epoch(), 1, false),
              new Capacity(SEATS, 1, 0));
    }

    String row() {
      cost(SEATS + waiting, this::enter);
      double enter = cost(CALLS, i -> enter(SEATS + waiting + i));
      double beat = cost(CALLS, i -> seats.beat(at, List.of(Claim.none(account(i)))));
      double exit = cost(CALLS, i -> seats.leave(at, SeatLoss.LEFT, List.of(account(i))));
      return String.format(Locale.ROOT, "| %d | %.1f | %.1f | %.1f |", waiting, enter, beat, exit);
    }

    private Future<SeatAnswer> enter(long number) {
      return seats.enter(at, List.of(new Entry(account(number), true, null, null)));
    }

    private static AccountId account(long number) {
      return new AccountId(1 + number);
    }

    /// Microseconds a call: the median of what it was in parts of them, so that what else the
    /// machine does counts less.
    private double cost(int calls, LongFunction<Future<SeatAnswer>> call) {
      List<Double> parts = new ArrayList<>();
      for (int from = 0; from < calls; from += AT_ONCE) {
        commands.send("x", Request.cmd(Command.CONFIG).arg("RESETSTAT")).await();
        List<Future<SeatAnswer>> some = new ArrayList<>();
        for (int i = from; i < Math.min(from + AT_ONCE, calls); i++) {
          some.add(call.apply(i));
        }
        Future.all(some).await();
        parts.add(perCall());
      }
      Collections.sort(parts);
      return parts.get(parts.size() / 2);
    }

    private double perCall() {
      Matcher stats =
          EVALSHA.matcher(
              commands.send("x", Request.cmd(Command.INFO).arg("commandstats")).await().toString());
      if (!stats.find()) {
        throw new IllegalStateException("Redis counted nothing");
      }
      return Double.parseDouble(stats.group(2)) / Double.parseDouble(stats.group(1));
    }
  }
}
