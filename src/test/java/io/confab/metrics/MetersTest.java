package io.confab.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.CloseCode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.WireName;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(240)
class MetersTest {
  private static final int WORKERS = 4;
  private static final Set<Meter> OF_VERTX =
      EnumSet.of(Meter.LOOP_TASKS, Meter.POOL_IN_USE, Meter.POOL_WAITING, Meter.POOL_WAIT_TIME);

  private enum Reason implements WireName {
    FORGED
  }

  private final Meters meters = new Meters();
  private final AtomicLong elsewhere = new AtomicLong();
  private final Map<Meter, Consumer<Reason>> counting = new EnumMap<>(Meter.class);
  private final CountDownLatch over = new CountDownLatch(1);
  private final Semaphore held = new Semaphore(0);
  private int holdsLoop;
  private int holdsWorkers;
  private AutoCloseable process = () -> {};
  private ObjIntConsumer<Reason> removed = (_, _) -> {};
  private final Vertx vertx =
      meters
          .measured(new VertxOptions().setEventLoopPoolSize(2).setWorkerPoolSize(WORKERS))
          .build();

  @AfterEach
  void close() throws Exception {
    over.countDown();
    process.close();
    vertx.close().await();
  }

  @BeforeEach
  void count() {
    vertx.executeBlocking(() -> 1).await();
    await().until(() -> shown(Meter.POOL_IN_USE) + shown(Meter.LOOP_TASKS) == 0);
    meters.publicationsDropped(Reason.FORGED, elsewhere::get);
    meters.storageFailures(elsewhere::get);
    meters.certificateExpires(elsewhere::get);
    meters.connectionsOpen(elsewhere::get);
    meters.directMemory(elsewhere::get, elsewhere::get);
    meters.writersWaiting(elsewhere::intValue);
    meters.swept(elsewhere::get);
    removed = meters.adding(Meter.ROWS_REMOVED, Reason.class);
    meters.accountsPresent(elsewhere::intValue);
    meters.seats(elsewhere::get, elsewhere::get, elsewhere::get, () -> elsewhere.get() % 2 == 1);
    meters.dependency("redis", () -> elsewhere.get() % 2 == 1);
    meters.peers(elsewhere::intValue);
    process = meters.process("1.2.3");
    for (Meter meter :
        List.of(
            Meter.CONNECTIONS_REFUSED,
            Meter.RATE_LIMITED,
            Meter.SECURITY_EVENTS,
            Meter.KEYS_CLAIMED,
            Meter.ENVELOPES_DELIVERED,
            Meter.ENVELOPES_FAILED,
            Meter.COMPARISONS,
            Meter.BUS_RECEIVED)) {
      counting.put(meter, meters.counting(meter, Reason.class));
    }
  }

  @Test
  void everyNameBeginsWithConfabAndHasHelp() {
    assertThat(Meter.values())
        .allSatisfy(meter -> assertThat(meter.title()).matches("confab_[a-z_]+"))
        .allSatisfy(meter -> assertThat(meter.help()).isNotBlank());
    assertThat(Arrays.stream(Meter.values()).map(Meter::title)).doesNotHaveDuplicates();
  }

  @Test
  void prometheusShowsExactlyTheNamesOfTheTable() {
    List<String> shown =
        meters
            .scrape()
            .lines()
            .filter(line -> line.startsWith("# HELP "))
            .map(line -> line.split(" ", 4)[2])
            .filter(name -> !name.endsWith("_max"))
            .filter(name -> !name.matches("(jvm|process|system)_.*"))
            .toList();

    assertThat(shown)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Meter.values()).map(Meter::title).toList());
  }

  @Test
  void whatHappensIsCounted() {
    meters.socketOpened();
    meters.socketOpened();
    meters.socketClosed();
    meters.socketClosing(CloseCode.TOO_SLOW);
    meters.frameIn();
    meters.framesOut(3);
    meters.sendAcknowledged(true, 700_000);
    meters.messageDelivered(InstantSource.system().millis() - 3_600_000);
    meters.messageDelivered(Long.MAX_VALUE / 2_000_000);
    meters.sendRefused(ErrorCode.ROOM_FULL);
    meters.groupStored(7, Duration.ofMillis(3));
    meters.eventFannedOut(40);
    meters.gapFilled();
    meters.httpAnswered(404, 3_000_000_000L);

    assertThat(meters.scrape())
        .contains(
            "confab_sockets_open 1.0",
            "confab_sockets_closed_total{code=\"4001\"} 1.0",
            "confab_frames_in_total 1.0",
            "confab_frames_out_total 3.0",
            "confab_sends_acknowledged_total{duplicate=\"true\"} 1.0",
            "confab_sends_acknowledged_total{duplicate=\"false\"} 0.0",
            "confab_sends_refused_total{code=\"room_full\"} 1.0",
            "confab_group_rows_bucket{le=\"5.0\"} 0",
            "confab_group_rows_bucket{le=\"10.0\"} 1",
            "confab_append_seconds_bucket{le=\"0.005\"} 1",
            "confab_events_fanned_out_total 40.0",
            "confab_gap_fills_total 1.0",
            "confab_http_requests_total{status=\"4xx\"} 1.0",
            "confab_http_seconds_bucket{le=\"1.0\"} 0",
            "confab_http_seconds_bucket{le=\"5.0\"} 1",
            "confab_http_seconds_sum 3.0",
            "confab_send_seconds_bucket{le=\"5.0E-4\"} 0",
            "confab_send_seconds_bucket{le=\"0.001\"} 1",
            "confab_delivery_seconds_bucket{le=\"5.0E-4\"} 1",
            "confab_delivery_seconds_bucket{le=\"5.0\"} 1",
            "confab_delivery_seconds_bucket{le=\"+Inf\"} 2",
            "confab_delivery_seconds_count 2",
            "confab_writers_waiting 0.0",
            "confab_dependency_up{dependency=\"redis\"} 0.0",
            "confab_peers 0.0",
            "confab_build_info{version=\"1.2.3\"} 1");
  }

  @Test
  void theProcessIsMeasuredUnderTheUsualNames() {
    assertThat(meters.scrape())
        .contains(
            "jvm_memory_used_bytes{area=\"heap\",",
            "jvm_gc_memory_allocated_bytes_total ",
            "jvm_threads_live_threads ",
            "process_cpu_usage ",
            "process_files_open_files ",
            "process_uptime_seconds ");
  }

  @Test
  void ofVertxTheLoopsAndPoolsAreMeasuredByFewLabels() {
    assertThat(meters.scrape())
        .contains(
            "confab_loop_tasks{loop=\"vert.x-eventloop-thread-0\"}",
            "confab_loop_tasks{loop=\"vert.x-eventloop-thread-1\"}",
            "confab_pool_waiting{pool=\"vert.x-worker-thread\"} 0.0",
            "confab_pool_in_use{pool=\"vert.x-worker-thread\"}",
            "confab_pool_wait_seconds_count{pool=\"vert.x-worker-thread\"} 1")
        .doesNotContain("vertx_", "netty_");
  }

  @Test
  void ofTwoNodesInOneJvmEachMeasuresItsOwn() {
    Meters other = new Meters();
    Vertx second = other.measured(new VertxOptions().setEventLoopPoolSize(1)).build();
    try {
      second.executeBlocking(() -> 1).await();

      assertThat(other.scrape())
          .contains("confab_pool_wait_seconds_count{pool=\"vert.x-worker-thread\"} 1");
      assertThat(meters.scrape())
          .contains("confab_pool_wait_seconds_count{pool=\"vert.x-worker-thread\"} 1");
    } finally {
      second.close().await();
    }
  }

  @Test
  void everyMeterMovesAlsoAfterACollection() {
    assertMove(EnumSet.complementOf(EnumSet.copyOf(OF_VERTX)));
  }

  static Set<Meter> ofVertx() {
    return OF_VERTX;
  }

  /// Alone, as they keep threads.
  @ParameterizedTest
  @MethodSource("ofVertx")
  void soDoesEachOfVertx(Meter meter) {
    assertMove(Set.of(meter));
  }

  /// A meter may be held weakly, and then stands still once nobody else holds it.
  private void assertMove(Set<Meter> moving) {
    moving.stream().filter(meter -> meter != Meter.BUILD_INFO).forEach(this::assertMoves);
    List<Double> before = moving.stream().map(this::shown).toList();
    collect();
    assertThat(moving.stream().map(this::shown)).isEqualTo(before);
    moving.stream().filter(meter -> meter != Meter.BUILD_INFO).forEach(this::assertMoves);
  }

  private void assertMoves(Meter meter) {
    double before = shown(meter);
    move(meter);
    await().until(() -> shown(meter) != before);
  }

  /// The sum over all labels, of a distribution or timer how often it was measured.
  private double shown(Meter meter) {
    boolean isMeasured = meter.kind() != Meter.Kind.COUNTER && meter.kind() != Meter.Kind.GAUGE;
    String name = meter.title() + (isMeasured ? "_count" : "");
    return meters
        .scrape()
        .lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static void collect() {
    WeakReference<Object> unused = new WeakReference<>(new Object());
    await()
        .until(
            () -> {
              System.gc();
              return unused.get() == null;
            });
  }

  /// Makes happen what the meter measures.
  private void move(Meter meter) {
    switch (meter) {
      case SOCKETS_OPEN -> meters.socketOpened();
      case SOCKETS_CLOSED -> meters.socketClosing(CloseCode.TOO_SLOW);
      case FRAMES_IN -> meters.frameIn();
      case FRAMES_OUT -> meters.framesOut(1);
      case SENDS_ACKNOWLEDGED, SEND_TIME -> meters.sendAcknowledged(false, 1);
      case SENDS_REFUSED -> meters.sendRefused(ErrorCode.ROOM_FULL);
      case CHANGES_ACKNOWLEDGED -> meters.changeAcknowledged();
      case CHANGES_REFUSED -> meters.changeRefused(ErrorCode.GONE);
      case GROUP_ROWS, APPEND_TIME -> meters.groupStored(7, Duration.ofMillis(3));
      case EVENTS_FANNED_OUT -> meters.eventFannedOut(1);
      case DELIVERY_TIME -> meters.messageDelivered(0);
      case GAP_FILLS -> meters.gapFilled();
      case PRESENCE_TRANSITIONS -> meters.presenceChanged(1);
      case PRESENCE_FRAMES -> meters.presenceTold();
      case PUBLICATIONS_DROPPED,
          STORAGE_FAILURES,
          CERTIFICATE_EXPIRES,
          CONNECTIONS_OPEN,
          DIRECT_MEMORY_USED,
          DIRECT_MEMORY_MOST,
          WRITERS_WAITING,
          SWEPT,
          ACCOUNTS_PRESENT,
          SEATS_INSIDE,
          SEATS_OFFERED,
          SEATS_WAITING,
          SEATS_PAUSED,
          PEERS,
          DEPENDENCY_UP ->
          elsewhere.incrementAndGet();
      case SEAT_WAIT_TIME -> meters.seatWaitedFor(Duration.ofMillis(3));
      case ROWS_REMOVED -> removed.accept(Reason.FORGED, 3);
      case DIGESTS_PUBLISHED -> meters.digestPublished();
      case DIGESTS_MISSED -> meters.digestsMissed(1);
      case RECENT_WINDOW_READS -> meters.recentWindowRead(true);
      case HTTP_REQUESTS, HTTP_TIME -> meters.httpAnswered(404, 1);
      case ISOLATIONS -> meters.isolated();
      case UNREAD_DRIFT -> meters.unreadDrifted(1);
      case KEYS_LOW -> meters.keysLow();
      case QUEUES_OPEN -> meters.queueOpened();
      case QUEUE_DRAIN_TIME -> meters.queueDrained(Duration.ofMillis(3));
      case QUEUE_ACKS, ACK_TIME -> meters.queuesAcknowledged(1, Duration.ofMillis(3));
      case ENVELOPES_EXPIRED -> meters.sendsExpired(1);
      case WAKES -> meters.deviceWoken();
      case DEAD_LETTERS -> meters.letterDied();
      case COMPARISONS,
          RATE_LIMITED,
          CONNECTIONS_REFUSED,
          SECURITY_EVENTS,
          KEYS_CLAIMED,
          ENVELOPES_DELIVERED,
          ENVELOPES_FAILED,
          BUS_RECEIVED ->
          Objects.requireNonNull(counting.get(meter)).accept(Reason.FORGED);
      case LOOP_TASKS -> {
        var loop = vertx.getOrCreateContext();
        loop.runOnContext(_ -> hold());
        loop.runOnContext(_ -> {});
        held.acquireUninterruptibly(1 - holdsLoop);
        holdsLoop = 1;
      }
      case POOL_IN_USE -> occupy(1);
      case POOL_WAITING -> occupy(WORKERS + 1);
      case POOL_WAIT_TIME -> vertx.executeBlocking(() -> 1).await();
      case BUILD_INFO -> throw new IllegalArgumentException("it never moves");
    }
  }

  /// Waits until as many are at work as there are workers for.
  private void occupy(int workers) {
    for (int i = 0; i < workers; i++) {
      var _ = vertx.executeBlocking(this::hold, false);
    }
    int more = Math.min(workers, WORKERS - holdsWorkers);
    held.acquireUninterruptibly(more);
    holdsWorkers += more;
  }

  /// Keeps a thread until the test is over.
  private boolean hold() {
    held.release();
    try {
      return over.await(4, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theOperationsDocumentListsEveryMeterAndNoOther() throws IOException {
    List<String> expected =
        Arrays.stream(Meter.values())
            .map(
                meter ->
                    "| `%s` | %s | %s | %s |"
                        .formatted(
                            meter.title(),
                            meter.kind().name().toLowerCase(Locale.ROOT),
                            meter.label().map(label -> "`" + label + "`").orElse(""),
                            meter.help()))
            .toList();

    assertThat(Files.readAllLines(Path.of("docs/operations.md")))
        .filteredOn(line -> line.startsWith("| `confab_"))
        .containsExactlyElementsOf(expected);
  }
}
