package io.confab.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.queue.QueueCommand.RejectEnvelope;
import io.confab.queue.QueueStore.Ack;
import io.confab.queue.QueueStore.From;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A node of which devices ask nothing but their queues learns of a new epoch from that.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class QueueEpochIT {
  private static final Caller PHONE = new Caller(new AccountId(2), new DeviceId("d1"));
  private static final Epoch OLD = new Epoch(1);
  private static final Epoch NEW = new Epoch(2);

  private final SealedWorld world;
  private final QueueStore store;
  private RegistrationId registration = new RegistrationId(1);

  QueueEpochIT(Vertx vertx) {
    this.world = new SealedWorld(vertx);
    this.store = new QueueStore(world.database());
  }

  @BeforeEach
  void openAQueue() {
    long room = world.room(1, 2, 1);
    Futures.get(world.store().append(List.of(world.sending(room, 1, "d1", "c1").saying("one"))));
    registration =
        Objects.requireNonNull(Futures.get(store.open(List.of(PHONE))).get(PHONE))
            .opened()
            .registration();
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void tells(Supplier<Future<?>> statement) {
    assertThat(world.database().epoch().current()).isEqualTo(OLD);
    world.postgres().execute("UPDATE instance SET epoch = " + NEW);
    Futures.get(statement.get().otherwiseEmpty());
    assertThat(world.database().epoch().current()).isEqualTo(NEW);
  }

  @Test
  void byOpeningIt() {
    tells(() -> store.open(List.of(PHONE)));
  }

  @Test
  void byReadingIt() {
    tells(() -> store.read(List.of(new From(registration, new QueueSeq(0))), 10, 1_000));
  }

  @Test
  void byAcknowledgingANumberOfTheFormerEpoch() {
    tells(
        () -> store.ack(new TreeMap<>(Map.of(registration, new Ack(new QueueSeq(1), OLD))), false));
  }

  /// Who holds the queue raises the epoch, as the first send after a fail-over does: the number of
  /// the former one is not that of what it puts there.
  @Test
  void anAcknowledgementThatWaitsMeanwhileAcknowledgesNothing() throws SQLException {
    Future<QueueStore.Acked> acked;
    try (Connection connection = TestDatabase.connect(world.postgres().url());
        Statement holder = connection.createStatement()) {
      connection.setAutoCommit(false);
      holder.execute("SELECT FROM device_queue FOR UPDATE");
      acked = store.ack(new TreeMap<>(Map.of(registration, new Ack(new QueueSeq(1), OLD))), true);
      await().until(this::waits);
      holder.execute("UPDATE instance SET epoch = " + NEW);
      holder.execute("UPDATE device_queue SET last_seq = last_seq");
      connection.commit();
    }
    assertThat(Futures.get(acked).gone()).containsEntry(registration, new QueueSeq(0));
    assertThat(Futures.get(acked).epoch()).isEqualTo(NEW);
    assertThat(world.database().epoch().current()).isEqualTo(NEW);
    assertThat(world.postgres().count("SELECT count(*) FROM envelope")).isEqualTo(1);
  }

  private boolean waits() {
    return world
            .postgres()
            .count(
                "SELECT count(*) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND wait_event_type = 'Lock'")
        > 0;
  }

  @Test
  void byRejectingANumberOfTheFormerEpoch() {
    tells(
        () ->
            store.reject(
                new RejectEnvelope(PHONE.account(), registration, new QueueSeq(1), "r", OLD)));
  }
}
