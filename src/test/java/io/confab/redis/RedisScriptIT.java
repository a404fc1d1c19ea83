package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.testing.OwnRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(120)
class RedisScriptIT {
  private final OwnRedis redis = OwnRedis.start();
  private final RedisCommands commands;
  private final RedisScript script = RedisScript.resource(RedisScriptIT.class, "twice.lua");

  RedisScriptIT(Vertx vertx) {
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(30));
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
  void onOneServerOneCommandNamesAnyKeys() {
    assertThat(commands.partition(List.of("a", "b", "a"), each -> each))
        .containsExactly(List.of("a", "b", "a"));
    assertThat(commands.partition(List.<String>of(), each -> each)).isEmpty();
  }

  @Test
  void anErrorInTheScriptIsNotTakenForAnUnknownOne() {
    assertThatThrownBy(() -> script.run(commands, List.of("k"), List.of("x")).await())
        .hasMessageContaining("arithmetic");
  }

  @Test
  void whoMayNotLoadScriptsHasThemLoadedBySomebodyElse(Vertx vertx) {
    commands.send("k", Request.cmd(Command.SCRIPT).arg("FLUSH")).await();
    RedisCommands worker = open(vertx, "p%40ss%3Aword%2F+%25");
    try {
      assertThatThrownBy(() -> worker.send("k", Request.cmd(Command.SCRIPT).arg("FLUSH")).await())
          .hasMessageContaining("NOPERM");
      List<Future<Response>> many =
          IntStream.range(0, 500)
              .mapToObj(i -> script.run(worker, List.of("k" + i), List.of("" + i)))
              .toList();
      Future.all(many).await();
      assertThat(many).allSatisfy(each -> assertThat(each.result().toInteger()).isEven());
      String stats = commands.send("k", Request.cmd(Command.INFO).arg("commandstats")).await() + "";
      Matcher loads = Pattern.compile("cmdstat_script\\|load:calls=(\\d+),").matcher(stats);
      assertThat(loads.find()).isTrue();
      assertThat(Integer.parseInt(loads.group(1)))
          .as("all who miss it share a load; what is said of it before may be read after it")
          .isLessThan(10);
    } finally {
      worker.close().await();
    }
  }

  @Test
  void aScriptThatCannotBeLoadedSaysWhy(Vertx vertx) {
    commands.send("k", Request.cmd(Command.SCRIPT).arg("FLUSH")).await();
    RedisCommands worker = open(vertx, "wrong");
    try {
      assertThatThrownBy(() -> script.run(worker, List.of("k"), List.of("1")).await())
          .hasMessageContaining("WRONGPASS");
    } finally {
      worker.close().await();
    }
  }

  private RedisCommands open(Vertx vertx, String scriptPassword) {
    RedisCommands worker =
        new RedisCommands(vertx, redis.urlOfTwoUsers(scriptPassword), Duration.ofSeconds(30));
    worker.open();
    Awaitility.await().until(worker::isUp);
    return worker;
  }

  private int run(int number) {
    return script.run(commands, List.of("k"), List.of("" + number)).await().toInteger();
  }
}
