package io.confab.redis;

import io.confab.time.Moments;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the slot map of a cluster: asks its servers each second, and at once when there is a sign
/// that it has changed.
///
/// One server is asked at a time, another one first each time, so that one that hangs or knows
/// nothing new does not matter for long. One that says that the cluster is down, as a server does
/// that was cut off from the others, is not believed: then the last map holds. What a stale map
/// sends to the wrong server that server refuses by `MOVED`. Lives on one context, but for
/// what says otherwise.
final class ClusterMap {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterMap.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);

  /// How long servers get to agree before they are asked again.
  static final Duration PAUSE = Duration.ofMillis(100);

  private final Vertx vertx;
  private final Context context;
  private final List<RedisServer> seeds;
  private final Inquiry inquiry;
  private final List<Consumer<SlotMap>> followers = new CopyOnWriteArrayList<>();
  private volatile SlotMap map = SlotMap.EMPTY;
  private boolean asking;
  private boolean askAgain;
  private int turn;
  private long timer = -1;

  ClusterMap(Vertx vertx, Context context, RedisTopology.Cluster topology) {
    this.vertx = vertx;
    this.context = context;
    this.seeds = topology.seeds();
    this.inquiry = new Inquiry(vertx, topology.login());
  }

  void open() {
    timer = Moments.periodic(vertx, PERIOD, this::ask);
    ask();
  }

  void close() {
    vertx.cancelTimer(timer);
    followers.clear();
  }

  /// Empty until a server has answered. For any thread.
  SlotMap current() {
    return map;
  }

  /// Receives each map that is read, changed or not, on this map's context. For any thread.
  void follow(Consumer<SlotMap> follower) {
    followers.add(follower);
  }

  void unfollow(Consumer<SlotMap> follower) {
    followers.remove(follower);
  }

  /// There is a sign that the map has changed. For any thread.
  void refresh() {
    context.runOnContext(
        turn -> {
          askAgain = asking;
          ask();
        });
  }

  private void ask() {
    if (asking) {
      return;
    }
    asking = true;
    List<RedisServer> servers = servers();
    Collections.rotate(servers, turn++);
    ask(servers, 0).onComplete(answer -> context.runOnContext(on -> asked(answer.result())));
  }

  private List<RedisServer> servers() {
    Set<RedisServer> servers = new LinkedHashSet<>(map.masters());
    servers.addAll(seeds);
    return new ArrayList<>(servers);
  }

  private Future<SlotMap> ask(List<RedisServer> servers, int next) {
    RedisServer server = servers.get(next);
    Future<SlotMap> answer =
        inquiry
            .ask(
                server,
                Request.cmd(Command.CLUSTER).arg("INFO"),
                Request.cmd(Command.CLUSTER).arg("SLOTS"))
            .compose(answers -> read(server, answers));
    return next + 1 == servers.size() ? answer : answer.recover(no -> ask(servers, next + 1));
  }

  private static Future<SlotMap> read(RedisServer server, List<Response> answers) {
    if (!answers.getFirst().toString().contains("cluster_state:ok")) {
      return Future.failedFuture("the cluster is down, as " + server + " sees it");
    }
    Response slots = answers.getLast();
    return Future.succeededFuture(
        new SlotMap(
            IntStream.range(0, slots.size())
                .mapToObj(i -> range(slots.get(i), server.host()))
                .toList()));
  }

  /// @param asked the host of the server that answered, which may not know its own
  private static SlotMap.Range range(Response slots, String asked) {
    Response master = slots.get(2);
    String host = master.get(0) == null ? "" : master.get(0).toString();
    return new SlotMap.Range(
        slots.get(0).toInteger(),
        slots.get(1).toInteger(),
        new RedisServer(
            host.isEmpty() || host.equals("?") ? asked : host, master.get(1).toInteger()));
  }

  private void asked(@Nullable SlotMap fresh) {
    asking = false;
    if (fresh != null) {
      if (!fresh.equals(map)) {
        LOG.info("The masters of the Redis cluster are {}", fresh.masters());
        map = fresh;
      }
      followers.forEach(follower -> follower.accept(fresh));
    }
    if (askAgain) {
      askAgain = false;
      vertx.setTimer(PAUSE.toMillis(), _ -> ask());
    }
  }
}
