package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.testing.Futures;
import io.confab.testing.OwnSentinels;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What the Sentinel mode of the Vert.x client does after a fail-over, which is why connections
/// are supervised here (ADR 0017). When this test fails, the client has learned to subscribe
/// again, and [SentinelMaster] may be superfluous.
@ExtendWith(VertxExtension.class)
@Timeout(900)
class LibrarySentinelIT {
  /// Time enough to subscribe, whatever the machine does.
  private static final int COMMANDS = 1_000;

  private final OwnSentinels redis = OwnSentinels.start(1);
  private final Vertx vertx;
  private final List<String> received = new CopyOnWriteArrayList<>();

  LibrarySentinelIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @AfterEach
  void close() {
    redis.close();
  }

  @Test
  void afterAFailOverTheClientTakesCommandsButItsSubscriptionIsGone() {
    Redis client = Redis.createClient(vertx, options());
    RedisConnection subscribed = Futures.get(client.connect());
    subscribed.handler(push -> received.add(push.toString()));
    Futures.get(subscribed.send(Request.cmd(Command.SUBSCRIBE).arg("room")));
    int former = redis.master();
    await()
        .untilAsserted(
            () -> { // that it is subscribed may be read after what is published at first
              redis.command(former, "PUBLISH", "room", "before");
              assertThat(received.toString()).contains("before");
            });

    redis.kill(former);
    int master = redis.masterAfter(former, 0);
    for (int i = 0; i < COMMANDS; i++) {
      await().ignoreExceptions().untilAsserted(() -> assertThat(set(client)).isEqualTo("OK"));
      assertThat(redis.command(master, "PUBLISH", "room", "after")).isEqualTo("0");
    }
    assertThat(redis.command(master, "GET", "k")).isEqualTo("v");
    assertThat(received.toString()).doesNotContain("after");
  }

  private static String set(Redis client) {
    Response answer = Futures.get(client.send(Request.cmd(Command.SET).arg("k").arg("v")));
    return answer.toString();
  }

  private RedisOptions options() {
    RedisTopology.Sentinel topology = (RedisTopology.Sentinel) redis.url().topology();
    RedisOptions options =
        new RedisOptions()
            .setType(RedisClientType.SENTINEL)
            .setMasterName(topology.master())
            .setAutoFailover(true)
            .setPassword(topology.login().password());
    topology.sentinels().forEach(sentinel -> options.addConnectionString("redis://" + sentinel));
    return options;
  }
}
