package io.confab.metrics;

import io.confab.protocol.CloseCode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.WireName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.MicrometerMetricsFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

/// The meters of one node, a method for each thing that happens, so that no name is spelled
/// elsewhere. Every method may be called by any thread and costs an addition.
public final class Meters {
  private static final int STATUS_CLASSES = 5;
  private static final long NANOS_OF_A_MILLISECOND = 1_000_000;

  private final InstantSource clock = InstantSource.system();

  private final Registry registry = new Registry();
  private final LongAdder socketsOpen = new LongAdder();
  private final Map<CloseCode, Counter> socketsClosed =
      registry.counters(
          Meter.SOCKETS_CLOSED, CloseCode.class, code -> Integer.toString(code.code()));
  private final Counter framesIn = registry.counter(Meter.FRAMES_IN);
  private final Counter framesOut = registry.counter(Meter.FRAMES_OUT);
  private final Counter sendsFirst = registry.counter(Meter.SENDS_ACKNOWLEDGED, "false");
  private final Counter sendsAgain = registry.counter(Meter.SENDS_ACKNOWLEDGED, "true");
  private final Map<ErrorCode, Counter> sendsRefused =
      registry.counters(Meter.SENDS_REFUSED, ErrorCode.class, ErrorCode::wire);
  private final Counter changes = registry.counter(Meter.CHANGES_ACKNOWLEDGED);
  private final Map<ErrorCode, Counter> changesRefused =
      registry.counters(Meter.CHANGES_REFUSED, ErrorCode.class, ErrorCode::wire);
  private final DistributionSummary groupRows =
      registry.summary(Meter.GROUP_ROWS, 1, 2, 5, 10, 20, 50, 100, 200);
  private final Timer appendTime =
      registry.timer(Meter.APPEND_TIME, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000);
  private final Histogram sendTime = registry.histogram(Meter.SEND_TIME);
  private final Histogram deliveryTime = registry.histogram(Meter.DELIVERY_TIME);
  private final Histogram httpTime = registry.histogram(Meter.HTTP_TIME);
  private final Counter eventsFannedOut = registry.counter(Meter.EVENTS_FANNED_OUT);
  private final Counter gapFills = registry.counter(Meter.GAP_FILLS);
  private final Counter digestsPublished = registry.counter(Meter.DIGESTS_PUBLISHED);
  private final Counter digestsMissed = registry.counter(Meter.DIGESTS_MISSED);
  private final Counter windowHits = registry.counter(Meter.RECENT_WINDOW_READS, "hit");
  private final Counter windowMisses = registry.counter(Meter.RECENT_WINDOW_READS, "miss");
  private final Counter presenceTransitions = registry.counter(Meter.PRESENCE_TRANSITIONS);
  private final Counter presenceFrames = registry.counter(Meter.PRESENCE_FRAMES);
  private final Timer seatWaitTime =
      registry.timer(
          Meter.SEAT_WAIT_TIME, 100, 1_000, 10_000, 60_000, 300_000, 1_800_000, 7_200_000);
  private final Counter isolations = registry.counter(Meter.ISOLATIONS);
  private final LongAdder queuesOpen = new LongAdder();
  private final Timer queueDrainTime =
      registry.timer(Meter.QUEUE_DRAIN_TIME, 5, 20, 100, 500, 1_000, 5_000, 30_000, 120_000);
  private final Counter queueAcks = registry.counter(Meter.QUEUE_ACKS);
  private final Timer ackTime =
      registry.timer(Meter.ACK_TIME, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000);
  private final Counter expired = registry.counter(Meter.ENVELOPES_EXPIRED);
  private final Counter wakes = registry.counter(Meter.WAKES);
  private final Counter deadLetters = registry.counter(Meter.DEAD_LETTERS);
  private final Counter unreadDrift = registry.counter(Meter.UNREAD_DRIFT);
  private final Counter keysLow = registry.counter(Meter.KEYS_LOW);
  private final Counter[] httpRequests =
      IntStream.rangeClosed(1, STATUS_CLASSES)
          .mapToObj(status -> registry.counter(Meter.HTTP_REQUESTS, status + "xx"))
          .toArray(Counter[]::new);

  public Meters() {
    registry.gauge(Meter.SOCKETS_OPEN, socketsOpen::sum);
    registry.gauge(Meter.QUEUES_OPEN, queuesOpen::sum);
  }

  /// Makes a Vert.x whose event loops, pools and bus are measured here.
  public VertxBuilder measured(VertxOptions options) {
    return Vertx.builder()
        .with(options.setMetricsOptions(VertxMeters.options()))
        .withMetrics(new MicrometerMetricsFactory(registry.micrometer()));
  }

  /// This node closes a socket.
  public void socketClosing(CloseCode code) {
    of(socketsClosed, code).increment();
  }

  /// All meters in the text format 0.0.4 of Prometheus.
  public String scrape() {
    return registry.micrometer().scrape();
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

  /// So many accounts are another thing to others now.
  public void presenceChanged(int accounts) {
    presenceTransitions.increment(accounts);
  }

  /// A session was told who is there, or how many.
  public void presenceTold() {
    presenceFrames.increment();
  }

  /// Shows the seats of all rooms, as far as this node looks after them; called once.
  ///
  /// @param paused whether nobody is let in
  public void seats(
      LongSupplier inside, LongSupplier offered, LongSupplier waiting, BooleanSupplier paused) {
    registry.gauge(Meter.SEATS_INSIDE, inside::getAsLong);
    registry.gauge(Meter.SEATS_OFFERED, offered::getAsLong);
    registry.gauge(Meter.SEATS_WAITING, waiting::getAsLong);
    registry.gauge(Meter.SEATS_PAUSED, () -> paused.getAsBoolean() ? 1 : 0);
  }

  /// An account has come inside after so long in the line.
  public void seatWaitedFor(Duration time) {
    seatWaitTime.record(time);
  }

  /// Shows how many accounts are there by this node; called once.
  public void accountsPresent(IntSupplier present) {
    registry.gauge(Meter.ACCOUNTS_PRESENT, present::getAsInt);
  }

  /// Shows a count that is kept elsewhere; called once for each reason.
  public void publicationsDropped(WireName reason, LongSupplier count) {
    registry.countElsewhere(
        Meter.PUBLICATIONS_DROPPED, labelled(Meter.PUBLICATIONS_DROPPED, reason.wire()), count);
  }

  /// The same; called once.
  public void storageFailures(LongSupplier count) {
    registry.countElsewhere(Meter.STORAGE_FAILURES, Tags.empty(), count);
  }

  /// Shows how many connections clients have; called once.
  public void connectionsOpen(LongSupplier open) {
    registry.gauge(Meter.CONNECTIONS_OPEN, open::getAsLong);
  }

  /// Shows when the listener's certificate ends; called once, where there is one.
  public void certificateExpires(LongSupplier epochSeconds) {
    registry.gauge(Meter.CERTIFICATE_EXPIRES, epochSeconds::getAsLong);
  }

  /// This node is cut off and closes its sockets.
  public void isolated() {
    isolations.increment();
  }

  /// A device was to hear that it has few one-time keys left.
  public void keysLow() {
    keysLow.increment();
  }

  /// So many unread counts differ from the messages.
  public void unreadDrifted(long counts) {
    unreadDrift.increment((double) counts);
  }

  public void queueOpened() {
    queuesOpen.increment();
  }

  public void queueClosed() {
    queuesOpen.decrement();
  }

  /// All has been sent that waited when a queue was opened.
  public void queueDrained(Duration took) {
    queueDrainTime.record(took);
  }

  /// What so many devices acknowledge is stored.
  public void queuesAcknowledged(int queues, Duration took) {
    queueAcks.increment(queues);
    ackTime.record(took);
  }

  /// A device is to be woken.
  public void deviceWoken() {
    wakes.increment();
  }

  /// A send of a sealed room could not be stored, or not be read by its device.
  public void sendsExpired(long sends) {
    expired.increment((double) sends);
  }

  public void letterDied() {
    deadLetters.increment();
  }

  /// Counts by the constants of an enum: each is the label of a counter, in lower case.
  public <E extends Enum<E> & WireName> Consumer<E> counting(Meter meter, Class<E> constants) {
    Map<E, Counter> counters = registry.counters(meter, constants, WireName::wire);
    return constant -> of(counters, constant).increment();
  }

  /// The same for several at once.
  public <E extends Enum<E> & WireName> ObjIntConsumer<E> adding(Meter meter, Class<E> constants) {
    Map<E, Counter> counters = registry.counters(meter, constants, WireName::wire);
    return (constant, count) -> of(counters, constant).increment(count);
  }

  /// Shows when all that was over had been removed last; called once.
  public void swept(LongSupplier epochSeconds) {
    registry.gauge(Meter.SWEPT, epochSeconds::getAsLong);
  }

  /// @param status of the answer, 100 to 599
  /// @param nanos since the head of its request
  public void httpAnswered(int status, long nanos) {
    httpRequests[status / 100 - 1].increment();
    httpTime.record(nanos);
  }

  /// Shows how many wait for the writers; called once.
  public void writersWaiting(IntSupplier waiting) {
    registry.gauge(Meter.WRITERS_WAITING, waiting::getAsInt);
  }

  /// Shows how much direct memory is used, and what it may be; called once.
  public void directMemory(LongSupplier used, LongSupplier most) {
    registry.gauge(Meter.DIRECT_MEMORY_USED, used::getAsLong);
    registry.gauge(Meter.DIRECT_MEMORY_MOST, most::getAsLong);
  }

  /// Shows whether dependencies answer; called once for each.
  public void dependency(String name, BooleanSupplier up) {
    registry.gauge(
        Meter.DEPENDENCY_UP, labelled(Meter.DEPENDENCY_UP, name), () -> up.getAsBoolean() ? 1 : 0);
  }

  /// Shows how many other nodes there are; called once, in a cluster.
  public void peers(IntSupplier others) {
    registry.gauge(Meter.PEERS, others::getAsInt);
  }

  /// Measures the process too, until the answer is closed; called once.
  public AutoCloseable process(String version) {
    registry.info(Meter.BUILD_INFO, version);
    return new ProcessMeters(registry.micrometer());
  }

  private static Tags labelled(Meter meter, String value) {
    return Tags.of(meter.label().orElseThrow(), value);
  }

  private static <E> Counter of(Map<E, Counter> counters, E key) {
    Counter counter = counters.get(key);
    if (counter == null) {
      throw new IllegalStateException("no counter for " + key);
    }
    return counter;
  }
}
