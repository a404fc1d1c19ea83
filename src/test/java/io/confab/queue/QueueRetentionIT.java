package io.confab.queue;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.metrics.Meters;
import io.confab.protocol.AccountId;
import io.confab.retention.Sweeper;
import io.confab.testing.TestConfig;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What is over of queues goes, and nothing else.
@ExtendWith(VertxExtension.class)
@Timeout(180)
class QueueRetentionIT {
  private static final Timing WITHOUT_RESTS =
      new Timing() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public Future<Void> pause(Duration duration) {
          return Future.succeededFuture();
        }
      };

  private final Vertx vertx;
  private final SealedWorld world;
  private final EnvelopeStore sends;
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final Config config;

  QueueRetentionIT(Vertx vertx, @TempDir Path folder) {
    this.vertx = vertx;
    this.world = new SealedWorld(vertx);
    this.sends = world.store();
    this.config = TestConfig.node(folder);
  }

  @AfterEach
  void close() {
    world.assertInvariants();
    world.close();
  }

  private void sweep() {
    world.run("UPDATE sweep SET swept_at = NULL");
    var rules = QueueRetentionStore.rules(config, this::tell);
    try (Sweeper sweeper = new Sweeper(WITHOUT_RESTS, world.database(), 1, rules, new Meters())) {
      sweeper.start(vertx);
      await().until(() -> world.postgres().count("SELECT count(swept_at) FROM sweep") == 1);
    }
  }

  private void tell(AccountId account, long version) {
    told.add(account.value() + " " + version);
  }

  private void say(long room, long account, String... ids) {
    for (String id : ids) {
      assertThat(get(sends.append(List.of(world.sending(room, account, "d1", id).saying(id)))))
          .allMatch(EnvelopeOutcome.Stored.class::isInstance);
    }
  }

  private String payloads() {
    return world
        .postgres()
        .text(
            "SELECT coalesce(string_agg(payload, ' ' ORDER BY payload_id), '') FROM"
                + " envelope_payload");
  }

  @Test
  void aPayloadGoesAfterItsLastReader() {
    long room = world.room(1, 3, 1);
    say(room, 1, "both", "one", "none");
    world.ack(2, "d1", 2);
    world.ack(3, "d1", 1);
    sweep();
    assertThat(payloads()).isEqualTo("one none");
    world.ack(3, "d1", 3);
    world.ack(2, "d1", 3);
    sweep();
    assertThat(payloads()).isEmpty();
  }

  /// Those that still have readers do not hide those behind them.
  @Test
  void payloadsGoInPortionsWhateverStaysBetweenThem() {
    long room = world.room(1, 2, 1);
    say(room, 1, "stays");
    world.run(
        """
        INSERT INTO envelope_payload (payload_id, sender_id, sender_device_id, client_id, ts, due_at, timed, payload)
          SELECT nextval('envelope_payload_number'), 1, 'd1', 'c' || i, now(), now() + interval '1 d', false, 'free'
            FROM generate_series(1, 1100) i\
        """);
    say(room, 1, "stays too");
    sweep();
    assertThat(payloads()).isEqualTo("stays stays too");
  }

  @Test
  void failuresAreKeptForSixtyDaysAndDeadLettersForSeven() {
    world.run(
        """
        INSERT INTO delivery_failure (room_id, seq, account_id, reason, failed_at)
          VALUES (1, 1, 2, 'full', now() - interval '60 d 1 s'), (1, 2, 2, 'full', now() - interval '59 d');
        INSERT INTO dead_letter (account_id, device_id, reason, died_at)
          VALUES (2, 'd1', 'over', now() - interval '7 d 1 s'), (2, 'd1', 'kept', now() - interval '6 d 23 h')\
        """);
    sweep();
    assertThat(world.postgres().text("SELECT string_agg(seq::text, ' ') FROM delivery_failure"))
        .isEqualTo("2");
    assertThat(world.postgres().text("SELECT string_agg(reason, ' ') FROM dead_letter"))
        .isEqualTo("kept");
  }

  @Test
  void whoDrainsNothingForThirtyDaysIsDormantAndItsCompanionsAreTold() {
    long room = world.room(1, 3, 1);
    say(room, 1, "a");
    world.ack(3, "d1", 1);
    world.run("UPDATE device_queue SET waits_since = now() - interval '29 d 23 h'");
    sweep();
    assertThat(told).isEmpty();
    world.run("UPDATE device_queue SET waits_since = now() - interval '30 d 1 s'");
    sweep();
    assertThat(told).containsExactly("2 1");
    assertThat(
            world
                .postgres()
                .text("SELECT string_agg(account_id::text, ' ') FROM device_queue WHERE dormant"))
        .isEqualTo("2");
    assertThat(world.queue(2, "d1")).as("what waited there is over").isEqualTo("");
    assertThat(world.failures(room)).isEqualTo("2:1:expired");
    sweep();
    assertThat(told).as("once").hasSize(1);
    assertThat(payloads()).isEmpty();
  }
}
