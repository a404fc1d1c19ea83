package io.confab.redis;

import io.confab.protocol.Refusal;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// One node's commands to Redis, all pipelined over one kept connection. For any thread.
///
/// Nothing waits without a bound: while Redis is away, or while too much is under way, commands
/// are refused at once. The connection answers in order, so one command that is not answered in
/// time holds up all behind it: then the connection is given up and all of them are
/// `unavailable`. What was refused after it was sent may have been carried out all the same.
public final class RedisCommands {
  private static final int MAX_COMMANDS = 16_384;
  private static final long MAX_BYTES = 32L << 20;
  private static final int BATCH = 256;

  private record Publish(Request request, int size) {}

  private final Vertx vertx;
  private final Context context;
  private final Duration timeout;
  private final RedisLink link;
  private final InFlight inFlight;
  private final Queue<Publish> publishes = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean publishing = new AtomicBoolean();
  private final LongAdder dropped = new LongAdder();

  private volatile @Nullable Pipeline pipeline;
  private long timer = -1;

  /// @param timeout of each command
  public RedisCommands(Vertx vertx, RedisUrl url, Duration timeout) {
    this(vertx, url, timeout, MAX_COMMANDS);
  }

  /// @param maxCommands under way at once
  RedisCommands(Vertx vertx, RedisUrl url, Duration timeout, int maxCommands) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.timeout = timeout;
    this.inFlight = new InFlight(maxCommands, MAX_BYTES);
    this.link = new RedisLink(vertx, context, url, maxCommands, new Connected());
  }

  /// Begins to connect and to stay connected. Does not wait for it.
  public void open() {
    context.runOnContext(
        turn -> {
          timer = vertx.setPeriodic(Math.max(1, timeout.toMillis() / 4), tick -> giveUpIfStuck());
          link.open();
        });
  }

  /// Whether commands have somewhere to go.
  public boolean isUp() {
    return pipeline != null;
  }

  /// Publications that were not made since the start.
  public long dropped() {
    return dropped.sum();
  }

  /// Sends a command; its answer comes on the caller's context. Fails with `unavailable` when
  /// Redis is away, busy or silent, and with Redis' own error when it refuses the command.
  public Future<Response> send(Request request) {
    return send(request, 0);
  }

  /// As above.
  ///
  /// @param size about how many bytes it has, if it has many
  Future<Response> send(Request request, int size) {
    if (pipeline == null) {
      return Future.failedFuture(Refusal.unavailable("Redis is away"));
    }
    if (!inFlight.enter(size)) {
      return Future.failedFuture(Refusal.unavailable("too many Redis commands are under way"));
    }
    Promise<Response> promise = Promise.promise();
    Context caller = Vertx.currentContext();
    context.runOnContext(
        turn ->
            transmit(request)
                .onComplete(
                    answer -> {
                      inFlight.leave(1, size);
                      handOver(caller, () -> promise.handle(answer));
                    }));
    return promise.future();
  }

  private Future<Response> transmit(Request request) {
    Pipeline current = pipeline;
    if (current == null) {
      return Future.failedFuture(Refusal.unavailable("Redis is away"));
    }
    return current.send(request).recover(failure -> Future.failedFuture(RedisError.of(failure)));
  }

  private void handOver(@Nullable Context caller, Runnable answer) {
    if (caller == null || caller == context) {
      answer.run();
    } else {
      caller.runOnContext(turn -> answer.run());
    }
  }

  /// Done when Redis answers.
  public Future<Void> ping() {
    return send(Request.cmd(Command.PING)).mapEmpty();
  }

  /// Publishes without waiting and without telling the outcome: dropped, and counted, when
  /// Redis is away or too much is under way. Publications from one thread keep their order.
  public void publish(String channel, byte[] payload) {
    if (pipeline == null || !inFlight.enter(payload.length)) {
      dropped.increment();
      return;
    }
    Request request = Request.cmd(Command.PUBLISH).arg(channel).arg(Buffer.buffer(payload));
    publishes.add(new Publish(request, payload.length));
    if (publishing.compareAndSet(false, true)) {
      context.runOnContext(turn -> publishAll());
    }
  }

  /// Everything that was published since the last turn goes out in few writes.
  private void publishAll() {
    publishing.set(false);
    List<Request> batch = new ArrayList<>();
    long size = 0;
    for (Publish next = publishes.poll(); next != null; next = publishes.poll()) {
      batch.add(next.request);
      size += next.size;
      if (batch.size() == BATCH) {
        publishBatch(batch, size);
        batch = new ArrayList<>();
        size = 0;
      }
    }
    if (!batch.isEmpty()) {
      publishBatch(batch, size);
    }
  }

  private void publishBatch(List<Request> batch, long size) {
    Pipeline current = pipeline;
    Future<List<Response>> sent =
        current == null ? Future.failedFuture("Redis is away") : current.batch(batch);
    sent.onComplete(
        answer -> {
          inFlight.leave(batch.size(), size);
          if (answer.failed()) {
            dropped.add(batch.size());
          }
        });
  }

  private void giveUpIfStuck() {
    Pipeline current = pipeline;
    if (current != null && current.isOverdue(timeout)) {
      link.giveUp("a command was not answered in time");
    }
  }

  /// Ends the connection; commands under way are refused.
  public Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    context.runOnContext(
        turn -> {
          vertx.cancelTimer(timer);
          pipeline = null;
          link.close().onComplete(closed);
        });
    return closed.future();
  }

  private final class Connected implements RedisLink.Owner {
    @Override
    public void up(RedisConnection connection) {
      pipeline = new Pipeline(connection);
    }

    @Override
    public void down() {
      pipeline = null;
    }
  }
}
