package io.confab.metrics;

import io.confab.protocol.CloseCode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.WireName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.MicrometerMetricsFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// The meters of one node, a method for each thing that happens, so that no name is spelled
/// elsewhere. Every method may be called by any thread and costs an addition.
public final class Meters {
  private static final int STATUS_CLASSES = 5;
  private static final long NANOS_OF_A_MILLISECOND = 1_000_000;

  private final InstantSource clock = InstantSource.system();

  private final PrometheusMeterRegistry registry = registry();
  private final LongAdder socketsOpen = new LongAdder();
  private final Map<CloseCode, Counter> socketsClosed =
      counters(Meter.SOCKETS_CLOSED, CloseCode.class, code -> Integer.toString(code.code()));
  private final Counter framesIn = counter(Meter.FRAMES_IN);
  private final Counter framesOut = counter(Meter.FRAMES_OUT);
  private final Counter sendsFirst = counter(Meter.SENDS_ACKNOWLEDGED, "false");
  private final Counter sendsAgain = counter(Meter.SENDS_ACKNOWLEDGED, "true");
  private final Map<ErrorCode, Counter> sendsRefused =
      counters(Meter.SENDS_REFUSED, ErrorCode.class, ErrorCode::wire);
  private final Counter changes = counter(Meter.CHANGES_ACKNOWLEDGED);
  private final Map<ErrorCode, Counter> changesRefused =
      counters(Meter.CHANGES_REFUSED, ErrorCode.class, ErrorCode::wire);
  private final DistributionSummary groupRows = groups();
  private final Timer appendTime = appends();
  private final Histogram sendTime = histogram(Meter.SEND_TIME);
  private final Histogram deliveryTime = histogram(Meter.DELIVERY_TIME);
  private final Histogram httpTime = histogram(Meter.HTTP_TIME);
  private final Counter eventsFannedOut = counter(Meter.EVENTS_FANNED_OUT);
  private final Counter gapFills = counter(Meter.GAP_FILLS);
  private final Counter digestsPublished = counter(Meter.DIGESTS_PUBLISHED);
  private final Counter digestsMissed = counter(Meter.DIGESTS_MISSED);
  private final Counter windowHits = counter(Meter.RECENT_WINDOW_READS, "hit");
  private final Counter windowMisses = counter(Meter.RECENT_WINDOW_READS, "miss");
  private final Counter isolations = counter(Meter.ISOLATIONS);
  private final Counter[] httpRequests =
      IntStream.rangeClosed(1, STATUS_CLASSES)
          .mapToObj(status -> counter(Meter.HTTP_REQUESTS, status + "xx"))
          .toArray(Counter[]::new);

  private static PrometheusMeterRegistry registry() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().meterFilter(new VertxMeters());
    return registry;
  }

  public Meters() {
    Gauge.builder(Meter.SOCKETS_OPEN.title(), socketsOpen, LongAdder::sum)
        .description(Meter.SOCKETS_OPEN.help())
        .strongReference(true)
        .register(registry);
  }

  /// Makes a Vert.x whose event loops, pools and bus are measured here.
  public VertxBuilder measured(VertxOptions options) {
    return Vertx.builder()
        .with(options.setMetricsOptions(VertxMeters.options()))
        .withMetrics(new MicrometerMetricsFactory(registry));
  }

  /// This node closes a socket.
  public void socketClosing(CloseCode code) {
    of(socketsClosed, code).increment();
  }

  /// All meters in the text format 0.0.4 of Prometheus.
  public String scrape() {
    return registry.scrape();
  }

  public void socketOpened() {
    socketsOpen.increment();
  }

  public long socketsOpen() {
    return socketsOpen.sum();
  }

  public void socketClosed() {
    socketsOpen.decrement();
  }

  public void frameIn() {
    framesIn.increment();
  }

  public void framesOut(int frames) {
    framesOut.increment(frames);
  }

  /// @param nanos since the send came
  public void sendAcknowledged(boolean isDuplicate, long nanos) {
    (isDuplicate ? sendsAgain : sendsFirst).increment();
    sendTime.record(nanos);
  }

  public void sendRefused(ErrorCode code) {
    of(sendsRefused, code).increment();
  }

  public void changeAcknowledged() {
    changes.increment();
  }

  public void changeRefused(ErrorCode code) {
    of(changesRefused, code).increment();
  }

  /// A group commit was answered.
  public void groupStored(int rows, Duration took) {
    groupRows.record(rows);
    appendTime.record(took);
  }

  /// An event was handed to so many sessions.
  public void eventFannedOut(int sessions) {
    eventsFannedOut.increment(sessions);
  }

  /// A message is handed to the sessions of an event loop.
  ///
  /// @param ts when it was stored, in milliseconds since 1970
  public void messageDelivered(long ts) {
    deliveryTime.record((clock.millis() - ts) * NANOS_OF_A_MILLISECOND);
  }

  public void gapFilled() {
    gapFills.increment();
  }

  public void digestPublished() {
    digestsPublished.increment();
  }

  public void digestsMissed(long digests) {
    digestsMissed.increment((double) digests);
  }

  /// A page of missed events was asked of the recent window.
  ///
  /// @param hit whether it had all of it
  public void recentWindowRead(boolean hit) {
    (hit ? windowHits : windowMisses).increment();
  }

  /// Shows a count that is kept elsewhere; called once for each reason.
  public void publicationsDropped(WireName reason, LongSupplier count) {
    elsewhere(Meter.PUBLICATIONS_DROPPED, count)
        .tag(Meter.PUBLICATIONS_DROPPED.label().orElseThrow(), reason.wire())
        .register(registry);
  }

  /// The same; called once.
  public void storageFailures(LongSupplier count) {
    elsewhere(Meter.STORAGE_FAILURES, count).register(registry);
  }

  /// A counter holds the object that it reads weakly, here one that lives as long as itself.
  private FunctionCounter.Builder<?> elsewhere(Meter meter, LongSupplier count) {
    return FunctionCounter.builder(meter.title(), registry, _ -> (double) count.getAsLong())
        .description(meter.help());
  }

  /// Shows how many connections clients have; called once.
  public void connectionsOpen(LongSupplier open) {
    Gauge.builder(Meter.CONNECTIONS_OPEN.title(), open, now -> (double) now.getAsLong())
        .description(Meter.CONNECTIONS_OPEN.help())
        .strongReference(true)
        .register(registry);
  }

  /// Shows when the listener's certificate ends; called once, where there is one.
  public void certificateExpires(LongSupplier epochSeconds) {
    Gauge.builder(
            Meter.CERTIFICATE_EXPIRES.title(), epochSeconds, until -> (double) until.getAsLong())
        .description(Meter.CERTIFICATE_EXPIRES.help())
        .strongReference(true)
        .register(registry);
  }

  /// This node is cut off and closes its sockets.
  public void isolated() {
    isolations.increment();
  }

  /// Counts by the constants of an enum: each is the label of a counter, in lower case.
  public <E extends Enum<E> & WireName> Consumer<E> counting(Meter meter, Class<E> constants) {
    Map<E, Counter> counters = counters(meter, constants, WireName::wire);
    return constant -> of(counters, constant).increment();
  }

  /// @param status of the answer, 100 to 599
  /// @param nanos since the head of its request
  public void httpAnswered(int status, long nanos) {
    httpRequests[status / 100 - 1].increment();
    httpTime.record(nanos);
  }

  /// Shows how many wait for the writers; called once.
  public void writersWaiting(IntSupplier waiting) {
    gauge(Meter.WRITERS_WAITING, Tags.empty(), waiting::getAsInt);
  }

  /// Shows how much direct memory is used, and what it may be; called once.
  public void directMemory(LongSupplier used, LongSupplier most) {
    gauge(Meter.DIRECT_MEMORY_USED, Tags.empty(), used::getAsLong);
    gauge(Meter.DIRECT_MEMORY_MOST, Tags.empty(), most::getAsLong);
  }

  /// Shows whether dependencies answer; called once for each.
  public void dependency(String name, BooleanSupplier up) {
    gauge(
        Meter.DEPENDENCY_UP,
        Tags.of(Meter.DEPENDENCY_UP.label().orElseThrow(), name),
        () -> up.getAsBoolean() ? 1 : 0);
  }

  /// Shows how many other nodes there are; called once, in a cluster.
  public void peers(IntSupplier others) {
    gauge(Meter.PEERS, Tags.empty(), others::getAsInt);
  }

  /// Measures the process too, until the answer is closed; called once.
  public AutoCloseable process(String version) {
    InfoSnapshot build =
        InfoSnapshot.builder()
            .name(Meter.BUILD_INFO.title().replace("_info", "")) // which its kind adds
            .help(Meter.BUILD_INFO.help())
            .dataPoint(
                InfoDataPointSnapshot.builder()
                    .labels(Labels.of(Meter.BUILD_INFO.label().orElseThrow(), version))
                    .build())
            .build();
    registry.getPrometheusRegistry().register(() -> build);
    return new ProcessMeters(registry);
  }

  private void gauge(Meter meter, Tags tags, Supplier<Number> value) {
    Gauge.builder(meter.title(), value).description(meter.help()).tags(tags).register(registry);
  }

  private Histogram histogram(Meter meter) {
    Histogram histogram = new Histogram(meter);
    registry.getPrometheusRegistry().register(histogram);
    return histogram;
  }

  private Counter counter(Meter meter) {
    return Counter.builder(meter.title()).description(meter.help()).register(registry);
  }

  private Counter counter(Meter meter, String value) {
    return Counter.builder(meter.title())
        .description(meter.help())
        .tag(meter.label().orElseThrow(), value)
        .register(registry);
  }

  private <E extends Enum<E>> Map<E, Counter> counters(
      Meter meter, Class<E> type, Function<E, String> label) {
    Map<E, Counter> counters = new EnumMap<>(type);
    for (E each : type.getEnumConstants()) {
      counters.put(each, counter(meter, label.apply(each)));
    }
    return counters;
  }

  private DistributionSummary groups() {
    return DistributionSummary.builder(Meter.GROUP_ROWS.title())
        .description(Meter.GROUP_ROWS.help())
        .serviceLevelObjectives(1, 2, 5, 10, 20, 50, 100, 200)
        .register(registry);
  }

  private Timer appends() {
    return Timer.builder(Meter.APPEND_TIME.title())
        .description(Meter.APPEND_TIME.help())
        .serviceLevelObjectives(
            IntStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000)
                .mapToObj(Duration::ofMillis)
                .toArray(Duration[]::new))
        .register(registry);
  }

  private static <E> Counter of(Map<E, Counter> counters, E key) {
    Counter counter = counters.get(key);
    if (counter == null) {
      throw new IllegalStateException("no counter for " + key);
    }
    return counter;
  }
}
