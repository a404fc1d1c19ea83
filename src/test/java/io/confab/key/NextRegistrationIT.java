package io.confab.key;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Caller;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// The numbers of devices with keys where a copy takes the place of the database.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class NextRegistrationIT {
  private static final Caller PHONE = KeyWorld.caller(1, "phone");

  /// What clients can read exactly.
  private static final long GREATEST = 1L << 53;

  private static final String WITHOUT_IT =
      """
      DELETE FROM one_time_key;
      DELETE FROM device_queue;
      DELETE FROM device_key;
      ALTER SEQUENCE device_key_registration_id_seq RESTART;
      """;

  private final TestDatabase server = TestDatabase.create();
  private final KeyWorld world;

  NextRegistrationIT(Vertx vertx) {
    world = new KeyWorld(vertx, server.nodeUrl(), KeyWorld.bounds());
    server.execute(KeyWorld.sealedRoom(1, 1, 2) + KeyWorld.device(1, "phone"));
  }

  @AfterEach
  void close() {
    world.close();
    server.close();
  }

  @Test
  void whatACopyLacksIsGivenToNobodyElse() {
    Set<Long> given = new HashSet<>();
    given.add(world.begin(PHONE, 5).registration());
    for (int i = 0; i < 3; i++) {
      aCopyWithoutItTakesOver();
      long registration = world.begin(PHONE, 5).registration();
      assertThat(registration).isLessThan(GREATEST);
      assertThat(given.add(registration)).isTrue();
    }
  }

  /// The data folder was put back, and only the node knows of a later epoch.
  @Test
  void whatAnOlderCopyOfTheSameServerLacksIsGivenToNobodyElse() {
    long first = world.begin(PHONE, 5).registration();
    long copied = server.count("SELECT epoch FROM instance");
    get(world.database().epochs().raise());
    server.execute(WITHOUT_IT + "UPDATE instance SET epoch = " + copied);
    assertThat(world.begin(PHONE, 5).registration()).isGreaterThan(first).isLessThan(GREATEST);
  }

  /// A standby that was promoted, or a backup, on another server.
  private void aCopyWithoutItTakesOver() {
    server.execute(WITHOUT_IT + "UPDATE instance SET system_identifier = 42");
  }
}
