package io.confab.redis;

import io.confab.protocol.Refusal;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One node's commands to Redis, all pipelined over one kept connection to each server that is in
/// charge of keys. For any thread.
///
/// Nothing waits without a bound: while Redis is away, or while too much is under way, commands
/// are refused at once. A connection answers in order, so one command that is not answered in
/// time holds up all behind it: then the connection is given up and all of them are
/// `unavailable`. What was refused after it was sent may have been carried out all the same.
public final class RedisCommands {
  private static final int MAX_COMMANDS = 16_384;
  private static final long MAX_BYTES = 32L << 20;
  private static final int BATCH = 256;

  private final Context context;
  private final CommandRoutes routes;
  private final InFlight inFlight;
  private final Queue<Publication> publications = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean publishing = new AtomicBoolean();
  private final LongAdder dropped = new LongAdder();
  private final Inquiry loader;
  private final Map<String, Future<Void>> loads = new HashMap<>();

  /// @param timeout of each command
  public RedisCommands(Vertx vertx, RedisUrl url, Duration timeout) {
    this(vertx, url, timeout, MAX_COMMANDS);
  }

  /// @param maxCommands under way at once
  RedisCommands(Vertx vertx, RedisUrl url, Duration timeout, int maxCommands) {
    this.context = vertx.getOrCreateContext();
    this.inFlight = new InFlight(maxCommands, MAX_BYTES);
    this.loader = new Inquiry(vertx, url.scriptLogin());
    this.routes =
        switch (url.topology()) {
          case RedisTopology.Standalone(RedisServer server, RedisLogin login) ->
              new SingleRoute(
                  new CommandConnection.Plan(vertx, context, login, timeout, maxCommands),
                  new FixedServer(server));
          case RedisTopology.Sentinel sentinel ->
              new SingleRoute(
                  new CommandConnection.Plan(
                      vertx, context, sentinel.login(), timeout, maxCommands),
                  new SentinelMaster(vertx, sentinel));
          case RedisTopology.Cluster cluster ->
              new ClusterRoutes(
                  new CommandConnection.Plan(vertx, context, cluster.login(), timeout, maxCommands),
                  cluster);
        };
  }

  /// Begins to connect and to stay connected. Does not wait for it.
  public void open() {
    context.runOnContext(turn -> routes.open());
  }

  /// Whether all commands have somewhere to go, whatever their keys.
  public boolean isUp() {
    return routes.isUp();
  }

  /// Whether commands about this key, or channel, have somewhere to go.
  public boolean reaches(String key) {
    return routes.reaches(key);
  }

  /// Parts things by what one command may name: all of them where one server is in charge of all
  /// keys, in a cluster those with the same key; each part in the given order.
  public <T> Collection<List<T>> partition(List<T> things, Function<T, String> key) {
    Map<String, List<T>> parts = new LinkedHashMap<>();
    for (T thing : things) {
      String part = routes.isOneServer() ? "" : key.apply(thing);
      parts.computeIfAbsent(part, _ -> new ArrayList<>()).add(thing);
    }
    return parts.values();
  }

  /// Publications that were not made since the start.
  public long dropped() {
    return dropped.sum();
  }

  /// Sends a command about a key, or about several with the same hash tag; its answer comes on the
  /// caller's context. Fails with `unavailable` when Redis is away, busy or silent, and with Redis'
  /// own error when it refuses the command.
  public Future<Response> send(String key, Request request) {
    return send(key, request, 0);
  }

  /// As above.
  ///
  /// @param size about how many bytes it has, if it has many
  Future<Response> send(String key, Request request, int size) {
    return reaches(key) ? bounded(size, () -> routes.send(key, request)) : RedisError.away();
  }

  /// Done when every server answers.
  public Future<Void> ping() {
    return bounded(0, routes::ping);
  }

  /// Which servers are in charge of keys, of those that answer; fails if none does.
  public Future<RedisInstances> instances() {
    return bounded(0, routes::instances);
  }

  /// Has the servers know a script. All who miss it at the same time share one load.
  Future<Void> load(String source) {
    return bounded(
        0,
        () -> {
          Future<Void> load = loads.get(source);
          if (load == null) {
            load = routes.servers().compose(servers -> load(source, servers));
            loads.put(source, load);
            load.onComplete(_ -> loads.remove(source));
          }
          return load;
        });
  }

  /// One that is away must not keep it from the others.
  private Future<Void> load(String source, List<RedisServer> servers) {
    Request request = Request.cmd(Command.SCRIPT).arg("LOAD").arg(source);
    List<Future<List<Response>>> loaded =
        servers.stream().map(server -> loader.ask(server, request)).toList();
    return Future.join(loaded)
        .recover(
            failure ->
                loaded.stream().anyMatch(Future::succeeded)
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure))
        .mapEmpty();
  }

  private <T> Future<T> bounded(int size, Supplier<Future<T>> work) {
    if (!inFlight.enter(size)) {
      return Future.failedFuture(Refusal.unavailable("too many Redis commands are under way"));
    }
    Promise<T> promise = Promise.promise();
    Context caller = Vertx.currentContext();
    context.runOnContext(
        turn ->
            work.get()
                .recover(failure -> Future.failedFuture(RedisError.of(failure)))
                .onComplete(
                    answer -> {
                      inFlight.leave(1, size);
                      handOver(caller, () -> promise.handle(answer));
                    }));
    return promise.future();
  }

  private void handOver(@Nullable Context caller, Runnable answer) {
    if (caller == null || caller == context) {
      answer.run();
    } else {
      caller.runOnContext(turn -> answer.run());
    }
  }

  /// Publishes without waiting and without telling the outcome: dropped, and counted, when
  /// Redis is away or too much is under way. Publications from one thread on one channel keep
  /// their order as long as the channel stays where it is.
  public void publish(String channel, byte[] payload) {
    publish(channel, payload, () -> {});
  }

  /// The same.
  ///
  /// @param lost is run when it was dropped, or may have been; on any thread
  public void publish(String channel, byte[] payload, Runnable lost) {
    if (reaches(channel) && inFlight.enter(payload.length)) {
      enqueue(new Publication(channel, payload, lost));
    } else {
      dropped.increment();
      lost.run();
    }
  }

  /// Publishes what may be missed: not, and not counted as dropped, when half of what may be under
  /// way is. Answers whether it goes out.
  public boolean offer(String channel, byte[] payload) {
    if (!reaches(channel) || !inFlight.isCalm() || !inFlight.enter(payload.length)) {
      return false;
    }
    enqueue(new Publication(channel, payload, () -> {}));
    return true;
  }

  private void enqueue(Publication publication) {
    publications.add(publication);
    if (publishing.compareAndSet(false, true)) {
      context.runOnContext(turn -> publishAll());
    }
  }

  /// Everything that was published since the last turn goes out in few writes.
  private void publishAll() {
    publishing.set(false);
    List<Publication> batch = new ArrayList<>();
    for (Publication next = publications.poll(); next != null; next = publications.poll()) {
      batch.add(next);
      if (batch.size() == BATCH) {
        publish(batch);
        batch = new ArrayList<>();
      }
    }
    if (!batch.isEmpty()) {
      publish(batch);
    }
  }

  private void publish(List<Publication> batch) {
    long size = batch.stream().mapToLong(each -> each.payload().length).sum();
    routes
        .publish(batch)
        .onComplete(
            lost -> {
              inFlight.leave(batch.size(), size);
              long missing = lost.succeeded() ? lost.result() : batch.size();
              dropped.add(missing);
              if (missing > 0) {
                batch.forEach(each -> each.lost().run());
              }
            });
  }

  ChannelSubscriber subscriber(Context where, ChannelSubscriber.Owner owner) {
    return routes.subscriber(where, owner);
  }

  /// Ends every connection; commands under way are refused.
  public Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    context.runOnContext(turn -> routes.close().onComplete(closed));
    return closed.future();
  }
}
