package io.confab.queue;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.PresentDevice;
import io.confab.testing.TestConfig;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Many writers at once, on connections of their own.
@ExtendWith(VertxExtension.class)
@Timeout(300)
class EnvelopeTortureIT {
  /// How often a device is added and removed.
  private static final int GUESTS = 1_000;

  private SealedWorld world;

  @BeforeEach
  void begin(Vertx vertx) {
    world = new SealedWorld(vertx);
  }

  @AfterEach
  void end() {
    world.assertInvariants();
    world.close();
  }

  private static void together(List<Runnable> work) throws Exception {
    together(work, () -> {});
  }

  /// @param failed runs when one of them failed, so that the others end
  private static void together(List<Runnable> work, Runnable failed) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (Runnable each : work) {
        all.add(
            threads.submit(
                () -> {
                  start.await();
                  try {
                    each.run();
                  } catch (Throwable e) {
                    failed.run();
                    throw e;
                  }
                  return null;
                }));
      }
      start.countDown();
      for (Future<?> each : all) {
        assertThat(each).as("none of them fails").succeedsWithin(Duration.ofMinutes(5));
      }
    }
  }

  /// A device that is added and removed reads exactly the sends that named it, and no other.
  @Test
  void aDeviceGetsExactlyTheSendsThatNameIt() throws Exception {
    long room = world.room(1, 6, 1);
    world
        .postgres()
        .execute(
            "CREATE TABLE got (registration_id bigint, client_id text);"
                + " GRANT INSERT ON got TO PUBLIC");
    AtomicBoolean over = new AtomicBoolean();
    ConcurrentLinkedQueue<String> named = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<String> got = new ConcurrentLinkedQueue<>();
    List<Runnable> work = new ArrayList<>();
    for (int sender = 1; sender <= 5; sender++) {
      int account = sender;
      EnvelopeStore store = world.store();
      work.add(
          () -> {
            String known = world.registrations(room);
            for (int i = 0; !over.get(); i++) {
              String id = account + "." + i;
              boolean stored = false;
              while (!stored) {
                String digest = SealedWorld.digestOf(known);
                var sending = new SealedWorld.Sending(room, account, "d1", id, digest);
                EnvelopeOutcome outcome = get(store.append(List.of(sending.saying(id)))).getFirst();
                if (outcome instanceof EnvelopeOutcome.Refused(var reason)) {
                  assertThat(reason.code()).isEqualTo(ErrorCode.DEVICE_MISMATCH);
                  known =
                      reason.devices().orElseThrow().stream()
                          .map(PresentDevice::registrationId)
                          .map(registration -> registration.value())
                          .sorted()
                          .map(String::valueOf)
                          .collect(Collectors.joining(","));
                } else {
                  stored = true;
                  for (String registration : known.split(",", -1)) {
                    named.add(registration + " " + id);
                  }
                }
              }
            }
          });
    }
    work.add(
        () -> {
          for (int i = 0; i < GUESTS; i++) {
            world.addDevice(6, "guest");
            long registration = world.registration(6, "guest");
            // Somebody sends to it before it goes.
            while (world.look(
                    Long.class,
                    "SELECT last_seq FROM device_queue WHERE registration_id = " + registration)
                < 2) {
              assertThat(over).isFalse();
            }
            world.run(
                """
                BEGIN;
                SELECT lock_queues(ARRAY[6::bigint]);
                INSERT INTO got SELECT registration_id, client_id
                  FROM envelope JOIN envelope_payload USING (payload_id) WHERE registration_id = %1$d;
                DELETE FROM device WHERE account_id = 6 AND device_id = 'guest';
                COMMIT;
                """
                    .formatted(registration));
          }
          over.set(true);
        });
    together(work, () -> over.set(true));

    String guests =
        world
            .postgres()
            .text("SELECT string_agg(registration_id || ' ' || client_id, ',') FROM got");
    got.addAll(List.of(guests.split(",", -1)));
    List<String> registrations =
        got.stream().map(each -> each.split(" ", 2)[0]).distinct().toList();
    List<String> missing =
        new ArrayList<>(
            named.stream().filter(each -> registrations.contains(each.split(" ", 2)[0])).toList());
    assertThat(got.stream().filter(each -> !missing.remove(each)))
        .as("got by who was not named")
        .isEmpty();
    assertThat(missing).as("named, and not got").isEmpty();
    assertThat(registrations).hasSize(GUESTS);
  }

  @Test
  void aQueueIsNeverDeeperThanItMayBeHoweverManySend() throws Exception {
    long room = world.room(1, 2, 1);
    int depth = 10_000;
    Config.Queues limits = TestConfig.queues(depth, Duration.ofDays(1), Duration.ofDays(1));
    long registration = world.registration(2, "d1");
    world
        .postgres()
        .execute(
            """
            INSERT INTO envelope (registration_id, seq, payload_id)
              SELECT %1$d, s, NULL FROM generate_series(1, 9990) s;
            UPDATE device_queue SET last_seq = 9990 WHERE registration_id = %1$d;
            """
                .formatted(registration));
    AtomicInteger full = new AtomicInteger();
    List<Runnable> senders =
        IntStream.range(0, 64)
            .<Runnable>mapToObj(
                i -> {
                  EnvelopeStore store = world.store(limits);
                  EnvelopeDraft draft = world.sending(room, 1, "d1", "s" + i).saying("p" + i);
                  return () -> {
                    if (get(store.append(List.of(draft))).getFirst()
                        instanceof EnvelopeOutcome.Stored stored) {
                      if (stored.sent().full() != null) {
                        full.incrementAndGet();
                      }
                    }
                  };
                })
            .toList();
    together(senders);

    assertThat(full).hasValue(54);
    assertThat(
            world
                .postgres()
                .count("SELECT last_seq FROM device_queue WHERE registration_id = " + registration))
        .isEqualTo(depth);
    assertThat(
            world
                .postgres()
                .count(
                    "SELECT count(*) FROM delivery_failure WHERE reason = 'full' AND room_id = "
                        + room))
        .isEqualTo(54);
  }

  /// Senders, acknowledgements, expiry and removals at once: the invariants hold at the end.
  @Test
  void numbersStayDenseWhateverHappensAtOnce() throws Exception {
    List<Long> rooms = List.of(world.room(1, 4, 2), world.room(3, 6, 2), world.room(5, 8, 2));
    AtomicInteger left = new AtomicInteger(8);
    List<Runnable> work = new ArrayList<>();
    for (int sender = 1; sender <= 8; sender++) {
      long account = sender;
      EnvelopeStore store =
          world.store(TestConfig.queues(100, Duration.ofMillis(200), Duration.ofDays(1)));
      work.add(
          () -> {
            try {
              for (int i = 0; i < 40; i++) {
                get(store.append(group(rooms, account, i)));
              }
            } finally {
              left.decrementAndGet();
            }
          });
    }
    for (int i = 0; i < 2; i++) {
      int step = i;
      work.add(
          () -> {
            while (left.get() > 0) {
              world.run(
                  """
                  SELECT ack_queues(array_agg(registration_id), array_agg(gone_seq + 3)) FROM device_queue
                   WHERE account_id %% 2 = %d\
                  """
                      .formatted(step));
            }
          });
      work.add(
          () -> {
            while (left.get() > 0) {
              world.run("SELECT expire_envelopes(20)");
            }
          });
    }
    work.add(
        () -> {
          for (int i = 0; left.get() > 0; i++) {
            world.addDevice(2 + i % 6, "guest");
            world.removeDevice(2 + i % 6, "guest");
          }
        });
    together(work);
  }

  private List<EnvelopeDraft> group(List<Long> rooms, long account, int i) {
    List<EnvelopeDraft> group = new ArrayList<>();
    for (long room : rooms) {
      group.add(world.sending(room, account, "d1", "g" + i + "." + room).saying("p"));
      group.add(world.sending(room, account, "d1", "h" + i + "." + room).silently("q"));
    }
    return group;
  }
}
