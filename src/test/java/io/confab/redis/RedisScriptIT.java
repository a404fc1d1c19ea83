package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.testing.OwnRedis;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(value = 30)
class RedisScriptIT {
  private final OwnRedis redis = OwnRedis.start();
  private final RedisCommands commands;
  private final RedisScript script = RedisScript.resource(RedisScriptIT.class, "twice.lua");

  RedisScriptIT(Vertx vertx) {
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(2));
  }

  @BeforeEach
  void open() {
    commands.open();
    Awaitility.await().until(commands::isUp);
  }

  @AfterEach
  void close() {
    commands.close().await();
    redis.close();
  }

  @Test
  void aScriptRunsAlsoWhereItIsNotKnownOrWasForgotten() {
    assertThat(run(21)).isEqualTo(42);
    assertThat(run(4)).isEqualTo(8);
    commands.send("k", Request.cmd(Command.SCRIPT).arg("FLUSH")).await();
    assertThat(run(5)).isEqualTo(10);
    assertThat(commands.send("k", Request.cmd(Command.GET).arg("k")).await().toInteger())
        .isEqualTo(10);
  }

  @Test
  void anErrorInTheScriptIsNotTakenForAnUnknownOne() {
    assertThatThrownBy(() -> script.run(commands, List.of("k"), List.of("x")).await())
        .hasMessageContaining("arithmetic");
  }

  private int run(int number) {
    return script.run(commands, List.of("k"), List.of("" + number)).await().toInteger();
  }
}
