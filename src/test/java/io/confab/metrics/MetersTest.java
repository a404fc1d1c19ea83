package io.confab.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.WireName;
import io.confab.protocol.CloseCode;
import io.confab.protocol.ErrorCode;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class MetersTest {
  private enum Reason implements WireName {
    FORGED
  }

  private final Meters meters = new Meters();
  private final AtomicLong stored = new AtomicLong();
  private AutoCloseable process = () -> {};
  private final Vertx vertx = meters.measured(new VertxOptions().setEventLoopPoolSize(2)).build();

  @AfterEach
  void close() throws Exception {
    process.close();
    vertx.close().await();
  }

  @BeforeEach
  void count() {
    vertx.eventBus().<String>localConsumer("a").handler(message -> message.reply("b"));
    vertx.executeBlocking(() -> vertx.eventBus().request("a", "c")).await().await();
    meters.publicationsDropped(Reason.FORGED, () -> 1);
    meters.storageFailures(stored::get);
    meters.certificateExpires(() -> 1_800_000_000);
    meters.connectionsOpen(() -> 1);
    meters.counting(Meter.CONNECTIONS_REFUSED, Reason.class);
    meters.writersWaiting(() -> 6);
    meters.dependency("redis", () -> false);
    meters.peers(() -> 2);
    process = meters.process("1.2.3");
    meters.counting(Meter.RATE_LIMITED, Reason.class);
    meters.counting(Meter.SECURITY_EVENTS, Reason.class);
    meters.counting(Meter.COMPARISONS, Reason.class);
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
            "confab_publications_dropped_total{reason=\"forged\"} 1.0",
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
            "confab_writers_waiting 6.0",
            "confab_dependency_up{dependency=\"redis\"} 0.0",
            "confab_peers 2.0",
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
  void ofVertxTheLoopsPoolsAndTheBusAreMeasuredByFewLabels() {
    assertThat(meters.scrape())
        .contains(
            "confab_loop_tasks{loop=\"vert.x-eventloop-thread-0\"}",
            "confab_loop_tasks{loop=\"vert.x-eventloop-thread-1\"}",
            "confab_pool_waiting{pool=\"vert.x-worker-thread\"} 0.0",
            "confab_pool_in_use{pool=\"vert.x-worker-thread\"}",
            "confab_pool_wait_seconds_count{pool=\"vert.x-worker-thread\"} 1",
            "confab_bus_received_total{side=\"local\"} 1.0")
        .doesNotContain("vertx_", "netty_");
  }

  @Test
  void aCountThatIsKeptElsewhereIsReadForAsLongAsTheNodeLives() {
    AtomicLong dropped = new AtomicLong();
    meters.publicationsDropped(Late.UNSENT, dropped::get);
    WeakReference<Object> unused = new WeakReference<>(new Object());
    await()
        .until(
            () -> {
              System.gc();
              return unused.get() == null;
            });
    dropped.set(7);
    stored.set(8);
    meters.socketOpened();
    meters.isolated();
    assertThat(meters.scrape())
        .contains("confab_publications_dropped_total{reason=\"unsent\"} 7.0")
        .contains("confab_storage_failures_total 8.0")
        .contains("confab_sockets_open 1.0")
        .contains("confab_isolations_total 1.0");
  }

  private enum Late implements WireName {
    UNSENT
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
