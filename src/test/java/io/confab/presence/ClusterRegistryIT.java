package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Newest;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Fence;
import io.confab.protocol.NodeId;
import io.confab.protocol.SessionId;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.testing.OwnCluster;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// The registry of sessions in a cluster of Redis.
@ExtendWith(VertxExtension.class)
@Timeout(180)
class ClusterRegistryIT {
  private static final int MASTERS = 3;

  private final OwnCluster redis = OwnCluster.start(MASTERS);
  private final RedisCommands commands;
  private final RedisConnectionRegistry registry;

  ClusterRegistryIT(Vertx vertx) {
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(30));
    this.registry = new RedisConnectionRegistry(commands, new RedisKeys(""));
  }

  @AfterEach
  void close() {
    commands.close().await();
    redis.close();
  }

  private static List<Connection> sessions(int fence) {
    return IntStream.range(0, 50)
        .mapToObj(
            account ->
                new Connection(
                    new AccountId(account),
                    new DeviceId("phone"),
                    new NodeId("n1"),
                    new SessionId("s" + fence),
                    new Fence(new Epoch(1), fence)))
        .toList();
  }

  /// Of each account, null where it was not entered.
  private List<@Nullable List<Newest>> register(List<Connection> sessions) {
    return registry.register(sessions).values().stream()
        .map(answer -> answer.otherwiseEmpty().await())
        .toList();
  }

  @Test
  void whoseServerIsAwayKeepsNobodyElseOut() {
    for (int master : redis.masters()) { // its replica has the port so many behind
      redis.command(master + MASTERS, "CONFIG", "SET", "cluster-replica-no-failover", "yes");
      redis.command(master, "CONFIG", "SET", "cluster-require-full-coverage", "no");
    }
    commands.open();
    await().until(commands::isUp);
    assertThat(register(sessions(1))).hasSize(50).allMatch(List.of()::equals);

    redis.kill(redis.masters().getFirst());
    await().until(() -> !commands.isUp());
    List<@Nullable List<Newest>> answers = register(sessions(2));
    assertThat(answers).filteredOn(Objects::isNull).isNotEmpty();
    assertThat(answers)
        .filteredOn(Objects::nonNull)
        .isNotEmpty()
        .allMatch(each -> each.size() == 1);
  }

  @Test
  void whoGoesTogetherIsRemovedFromEveryServer() {
    commands.open();
    await().until(commands::isUp);
    List<Connection> all = sessions(1);
    register(all);
    assertThat(all).allSatisfy(each -> assertThat(find(each)).containsExactly(each));
    registry.unregister(all).await();
    assertThat(all).allSatisfy(each -> assertThat(find(each)).isEmpty());
  }

  private List<Connection> find(Connection of) {
    return registry.find(of.account()).await().connections();
  }
}
