package io.confab.socket;

import io.confab.bus.Done;
import io.confab.bus.Requests;
import io.confab.metrics.Meters;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientFrame.QueueOpen;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame.QueueOpened;
import io.confab.queue.QueueCommand.AckQueue;
import io.confab.queue.QueueCommand.OpenQueue;
import io.confab.queue.QueueCommand.Opened;
import io.confab.queue.QueueCommand.QueuePage;
import io.confab.queue.QueueCommand.ReadQueue;
import io.confab.queue.QueueCommand.RejectEnvelope;
import io.confab.time.Retries;
import io.confab.time.Timers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What waits for the device of one session, from when its client comes for it.
final class SessionQueue implements QueueFeed.Follower, KnownRooms.Watcher {
  /// What the queues of a loop share.
  ///
  /// @param enter called with every epoch that was read; answers that of the sessions
  /// @param sent hears of each envelope that goes out
  record QueueContext(
      Requests bus,
      QueueFeed feed,
      Retries retries,
      Timers timers,
      Epochs enter,
      Consumer<DeliveryWay> sent,
      Meters meters) {
    /// Takes in what was read of the database's epoch.
    interface Epochs {
      Epoch enter(Epoch read);
    }
  }

  private final Caller caller;
  private final Outbound out;
  private final QueueContext context;
  private final RoomStreams rooms;
  private final int most;
  private final CatchUp catchUp;
  private final Set<RoomId> followed = new LazySet<>();
  private @Nullable QueueStream stream;

  /// Those that are under way.
  private Future<?> rejects = Future.succeededFuture();

  private boolean asked;
  private boolean closed;

  /// @param most envelopes that may be unacknowledged on the way
  SessionQueue(Caller caller, Outbound out, QueueContext context, RoomStreams rooms, int most) {
    this.caller = caller;
    this.out = out;
    this.context = context;
    this.rooms = rooms;
    this.most = most;
    this.catchUp = new CatchUp(out, context.retries());
  }

  /// Done when it is answered; then the envelopes come. Refusals: `conflict` when it was opened
  /// before, or for a device without keys.
  Future<?> open(@Nullable String re, QueueOpen frame) {
    if (asked) {
      return Future.failedFuture(new Refusal(ErrorCode.CONFLICT, "the queue is open"));
    }
    asked = true;
    rooms.watch(this); // what is sent from now on is heard, so the first page has the rest
    return context
        .bus()
        .request(new OpenQueue(caller))
        .map(
            opened -> {
              opened(re, frame, opened);
              return null;
            })
        .onFailure(_ -> giveUp());
  }

  private void opened(@Nullable String re, QueueOpen frame, Opened opened) {
    if (closed) {
      return;
    }
    if (!isCurrent(opened.epoch())) {
      throw Refusal.unavailable("the database has another epoch");
    }
    boolean reset = !isPosition(frame, opened);
    out.send(
        new QueueOpened(
            re,
            opened.epoch(),
            opened.gone().next(),
            opened.last(),
            reset ? true : null,
            opened.oneTimeKeys(),
            opened.fallbackUsed()));
    QueueStream begun =
        new QueueStream(
            new QueueStream.Opening(opened, reset ? opened.gone() : frame.after(), most),
            out,
            new Owner(opened),
            context.timers());
    stream = begun;
    opened.rooms().forEach(this::follow); // of many rooms the client was told some
    context.feed().attach(begun);
    context.meters().queueOpened();
    begun.begin();
  }

  /// Without an epoch nothing but the beginning is one.
  private static boolean isPosition(QueueOpen frame, Opened opened) {
    Epoch epoch = frame.epoch();
    boolean known = epoch == null ? frame.after().value() == 0 : epoch.equals(opened.epoch());
    return known && !opened.gone().isAfter(frame.after()) && !frame.after().isAfter(opened.last());
  }

  private boolean isCurrent(Epoch read) {
    return read.equals(context.enter().enter(read));
  }

  /// The client may ask again.
  private void giveUp() {
    asked = false;
    rooms.unwatch();
    unfollow();
  }

  /// Done after the commit. Refusals: `conflict` before it is open, `invalid_field` for what was
  /// not sent here, `unavailable`, `not_found` for a device that was removed.
  Future<?> ack(QueueSeq upTo) {
    QueueStream open = require(upTo);
    return rejects.isComplete() ? store(open, upTo) : rejects.compose(_ -> store(open, upTo));
  }

  /// What the client has may not be stored yet: it went out over another session.
  private Future<?> store(QueueStream open, QueueSeq upTo) {
    return upTo.isAfter(open.stored())
        ? context
            .bus()
            .request(new AckQueue(caller.account(), open.registration(), upTo, open.epoch()))
            .onSuccess(now -> open.acknowledged(now.gone()))
        : Future.succeededFuture();
  }

  /// The same for one that cannot be read. It is done before what is acknowledged after it.
  Future<?> reject(QueueSeq seq, String reason) {
    QueueStream open = require(seq);
    Future<Done> rejected =
        context
            .bus()
            .request(
                new RejectEnvelope(
                    caller.account(), open.registration(), seq, reason, open.epoch()));
    Future<?> done = rejected.otherwiseEmpty();
    rejects = rejects.isComplete() ? done : Future.join(rejects, done);
    return rejected;
  }

  private QueueStream require(QueueSeq sent) {
    QueueStream open = stream;
    if (open == null) {
      throw new Refusal(ErrorCode.CONFLICT, "queue.open comes first");
    }
    if (!open.hasSent(sent)) {
      throw Refusal.invalidField("queue_seq", "was not sent");
    }
    return open;
  }

  @Override
  public void look() {
    if (stream != null) {
      stream.look();
    }
  }

  @Override
  public void added(RoomId room) {
    if (!closed && follow(room)) {
      look();
    }
  }

  private boolean follow(RoomId room) {
    boolean isNew = followed.add(room);
    if (isNew) {
      context.feed().follow(room, this);
    }
    return isNew;
  }

  /// What was sent just before may have passed unheard.
  @Override
  public void removed(RoomId room) {
    if (followed.remove(room)) {
      context.feed().unfollow(room, this);
      look();
    }
  }

  private void unfollow() {
    followed.forEach(room -> context.feed().unfollow(room, this));
    followed.clear();
  }

  void close() {
    closed = true;
    unfollow();
    catchUp.close();
    if (stream != null) {
      context.feed().detach(stream);
      context.meters().queueClosed();
    }
  }

  private final class Owner implements QueueStream.Owner {
    private final Opened opened;
    private final long began = System.nanoTime();

    Owner(Opened opened) {
      this.opened = opened;
    }

    @Override
    public Future<QueuePage> read(QueueSeq after) {
      return context.bus().request(new ReadQueue(caller.account(), opened.registration(), after));
    }

    @Override
    public void behind(QueueStream behind) {
      catchUp.add(behind);
    }

    @Override
    public boolean isCurrent(Epoch read) {
      return read.equals(opened.epoch()) && SessionQueue.this.isCurrent(read);
    }

    @Override
    public void sent(DeliveryWay way) {
      context.sent().accept(way);
    }

    @Override
    public void drained() {
      context.meters().queueDrained(Duration.ofNanos(System.nanoTime() - began));
    }
  }
}
