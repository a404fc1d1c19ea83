package io.confab.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Messages that a crowd says for some time at some pace, and what became of each: in the ledger,
/// and as times from the moment when it was due. It ends when everything has arrived, or when
/// nothing has come for a while. But for [#run], it lives on the driver's thread.
final class Traffic implements Ears {
  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SILENCE_NS = 10 * NANOS;
  private static final long LOOK_NS = NANOS / 50;
  private static final double NANOS_PER_MICRO = 1_000;

  private final Crowd crowd;
  private final Pace pace;
  private final int senders;
  private final boolean echoes;
  private final int firstToken;
  private final Ledger ledger;
  private final List<List<Integer>> rooms;
  private final int[][] places;
  private final Histogram acks = new Histogram(3);
  private final Histogram deliveries = new Histogram(3);
  private long[] due = new long[1_024];
  private long begin;
  private long end;
  private long lastAck;
  private int planned;
  private int acked;
  private long awaited;
  private long arrived;

  /// The same for who waits.
  private volatile long progress;
  private volatile boolean complete;
  private volatile @Nullable String failure;

  /// @param senders how many people of a room speak in turn
  /// @param echoes as [Contestant#echoes]
  /// @param firstToken no message has had it or a larger one
  Traffic(Crowd crowd, Pace pace, int senders, boolean echoes, int firstToken) {
    this.crowd = crowd;
    this.pace = pace;
    this.senders = senders;
    this.echoes = echoes;
    this.firstToken = firstToken;
    this.ledger = new Ledger(crowd.layout());
    this.rooms = crowd.layout().rooms();
    this.places = crowd.layout().places();
  }

  /// Sends for so long and waits for the rest.
  Outcome run(double seconds) {
    crowd.tell(this);
    crowd.driver().loop().execute(() -> begin(seconds));
    long seen = -1;
    long since = System.nanoTime();
    while (!complete && failure == null && System.nanoTime() - since < SILENCE_NS) {
      LockSupport.parkNanos(LOOK_NS);
      if (progress != seen) {
        seen = progress;
        since = System.nanoTime();
      }
    }
    return crowd.driver().ask(this::outcome);
  }

  private Outcome outcome() {
    Optional<String> fault = Optional.ofNullable(failure).or(ledger::fault);
    double elapsed = Math.max(lastAck - begin, 1) / (double) NANOS;
    return new Outcome(ledger.sent(), arrived - acked, elapsed, acks, deliveries, fault);
  }

  private void begin(double seconds) {
    begin = System.nanoTime();
    end = begin + (long) (seconds * NANOS);
    switch (pace) {
      case Pace.Open open -> {
        planned = (int) Math.ceil(open.perSecond() * seconds / open.together()) * open.together();
        pump(open);
      }
      case Pace.Closed closed -> {
        planned = Integer.MAX_VALUE;
        for (int i = 0; i < closed.underWay(); i++) {
          send(begin, 1);
        }
      }
    }
  }

  /// Sends what is due.
  private void pump(Pace.Open open) {
    long gap = (long) (NANOS * open.together() / open.perSecond());
    long next = begin + ledger.sent() / open.together() * gap;
    while (ledger.sent() < planned && next <= System.nanoTime() && failure == null) {
      send(next, open.together());
      next += gap;
    }
    if (ledger.sent() < planned && failure == null) {
      long wait = Math.max(0, next - System.nanoTime());
      crowd.driver().loop().schedule(() -> pump(open), wait, TimeUnit.NANOSECONDS);
    }
  }

  /// So many by one person in one room, in one write.
  private void send(long dueAt, int together) {
    int turn = ledger.sent() / together;
    int room = turn % rooms.size();
    List<Integer> members = rooms.get(room);
    Line line = crowd.line(members.get(turn / rooms.size() % Math.min(senders, members.size())));
    for (int i = 0; i < together; i++) {
      int message = ledger.sent(room, line.person());
      if (message == due.length) {
        due = Arrays.copyOf(due, 2 * message);
      }
      due[message] = dueAt;
      awaited += members.size();
      line.message(room, firstToken + message);
    }
    line.flush();
  }

  @Override
  public void live(Line line) {}

  @Override
  public void acked(Line line, int token) {
    int message = token - firstToken;
    if (isStrange(message)) {
      return;
    }
    lastAck = System.nanoTime();
    acks.recordValue(micros(lastAck - due[message]));
    ledger.acked(message);
    acked++;
    arrived++;
    if (pace instanceof Pace.Closed) {
      if (lastAck < end) {
        send(lastAck, 1);
      } else {
        planned = ledger.sent();
      }
    }
    look();
  }

  @Override
  public void received(Line line, int token) {
    int message = token - firstToken;
    if (isStrange(message)) {
      return;
    }
    ledger.received(message, Layout.place(places[line.person()], ledger.room(message)));
    arrived++;
    if (ledger.sender(message) != line.person()) {
      deliveries.recordValue(micros(System.nanoTime() - due[message]));
    } else if (echoes) {
      acked(line, token);
    }
    look();
  }

  private static long micros(long nanos) {
    return Math.max(0, Math.round(nanos / NANOS_PER_MICRO));
  }

  private boolean isStrange(int message) {
    boolean strange = message < 0 || message >= ledger.sent();
    if (strange) {
      failure = "a message that nobody sent";
    }
    return strange;
  }

  private void look() {
    progress = arrived;
    if (ledger.sent() >= planned && acked >= ledger.sent() && arrived >= awaited + acked) {
      complete = true;
    }
  }

  @Override
  public void failed(Line line, String why) {
    failure = "person " + line.person() + ": " + why;
  }
}
