package io.confab.message;

import static io.confab.message.Chat.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountDomain;
import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.retention.Rule;
import io.confab.retention.Sweeper;
import io.confab.retention.Swept;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A backlog of a million rows that are over, beside somebody who sends.
@Tag("full")
@ExtendWith(VertxExtension.class)
@Timeout(1_200)
class SweepBesideSendsIT {
  private static final int DEVICES = 20_000;
  private static final int TOKENS = 1_000_000;

  @Test
  void aBacklogStopsNoSends(Vertx vertx) {
    try (TestDatabase database = TestDatabase.create()) {
      database.execute(Chat.room(1, "group", 1, DEVICES));
      database.execute(
          """
          INSERT INTO device (account_id, device_id, name, platform, family_id)
            SELECT i, 'd', 'n', 'p', gen_random_uuid() FROM generate_series(1, %1$d) i;
          INSERT INTO refresh_token
              (token_hash, account_id, device_id, family_id, expires_at, spent_at)
            SELECT sha256(i::text::bytea), account_id, device_id, family_id,
                   now() - interval '1 day' - (%2$d - i) * interval '80 ms',
                   CASE WHEN i <= %2$d - %1$d THEN now() END
              FROM generate_series(1, %2$d) i JOIN device ON account_id = 1 + i %% %1$d
          """
              .formatted(DEVICES, TOKENS));
      Database pool = Chat.database(vertx, database.nodeUrl());
      AppendStore log = Chat.log(pool);
      Histogram portions = new ConcurrentHistogram(3);
      Histogram alone = new Histogram(3);
      Histogram beside = new Histogram(3);
      for (int i = 0; i < 2_000; i++) {
        send(log, "alone-" + i, alone);
      }
      var sweeper =
          new Sweeper(
              withoutRests(vertx),
              pool,
              1,
              AccountDomain.retention(pool, TestConfig.retention()).stream()
                  .map(rule -> timed(rule, portions))
                  .toList(),
              new Meters());

      sweeper.start(vertx);
      int sent = 0;
      while (database.count("SELECT count(swept_at) FROM sweep") == 0) {
        for (int i = 0; i < 200; i++) {
          send(log, "beside-" + sent++, beside);
        }
      }

      assertThat(database.count("SELECT count(*) FROM refresh_token")).isZero();
      assertThat(database.count("SELECT count(family_id) FROM device")).isZero();
      assertThat(database.count("SELECT last_seq FROM room_position")).isEqualTo(2_000 + sent);
      System.out.printf(
          "portions: %s; sends alone: %s; sends beside: %s%n",
          text(portions), text(alone), text(beside));
      sweeper.close();
      await(log.close());
      await(pool.close());
    }
  }

  /// One portion follows the other, so that whoever sends has one beside it all the time.
  private static Timing withoutRests(Vertx vertx) {
    Timing machine = Timing.of(vertx);
    return new Timing() {
      @Override
      public long nanoTime() {
        return machine.nanoTime();
      }

      @Override
      public Future<Void> pause(Duration duration) {
        return Future.succeededFuture();
      }
    };
  }

  private static void send(AppendStore log, String id, Histogram times) {
    long from = System.nanoTime();
    await(log.append(List.of(Chat.draft(1, 1, id))));
    times.recordValue(micros(from));
  }

  private static Rule timed(Rule rule, Histogram times) {
    return rule.what() != Swept.REFRESH_TOKENS
        ? rule
        : new Rule(
            rule.what(),
            (transaction, most) -> {
              long from = System.nanoTime();
              return rule.portion()
                  .remove(transaction, most)
                  .onComplete(_ -> times.recordValue(micros(from)));
            });
  }

  private static long micros(long from) {
    return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - from);
  }

  private static String text(Histogram times) {
    return "%d, p50 %d µs, p99 %d µs, longest %s"
        .formatted(
            times.getTotalCount(),
            times.getValueAtPercentile(50),
            times.getValueAtPercentile(99),
            Duration.ofNanos(times.getMaxValue() * 1_000));
  }
}
