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
  private final Vertx vertx = meters.measured(new VertxOptions().setEventLoopPoolSize(2)).build();

  @AfterEach
  void close() {
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
    meters.counting(Meter.RATE_LIMITED, Reason.class);
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
    meters.sendAcknowledged(true);
    meters.sendRefused(ErrorCode.ROOM_FULL);
    meters.groupStored(7, Duration.ofMillis(3));
    meters.eventFannedOut(40);
    meters.gapFilled();
    meters.httpAnswered(404);

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
            "confab_http_requests_total{status=\"4xx\"} 1.0");
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
