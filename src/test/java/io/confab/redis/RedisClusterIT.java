package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.testing.Futures;
import io.confab.testing.OwnCluster;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Three masters with a replica each.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class RedisClusterIT {
  private static final int MASTERS = 3;

  private final OwnCluster redis = OwnCluster.start(MASTERS);
  private final RedisCommands commands;
  private final PubSub pubSub;
  private final Heard heard = new Heard();
  private final RedisScript script = RedisScript.resource(RedisScriptIT.class, "twice.lua");
  private int said;

  RedisClusterIT(Vertx vertx) {
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(10));
    this.pubSub = new PubSub(vertx, commands, "node:1:beat");
  }

  @BeforeEach
  void open() {
    commands.open();
    pubSub.open(heard);
    eventually().until(() -> commands.isUp() && pubSub.isUp());
  }

  @AfterEach
  void close() {
    pubSub.close().await();
    commands.close().await();
    redis.close();
  }

  @Test
  void slotsAreThoseOfTheServer() {
    for (String key : List.of("foo", "{a}b", "x{}y", "ünal{ü}", "{{x}}", "", "recent:{17}")) {
      assertThat(redis.command(redis.masters().getFirst(), "CLUSTER", "KEYSLOT", key))
          .as(key)
          .isEqualTo("" + KeySlot.of(key));
    }
  }

  @Test
  void commandsAndScriptsGoToTheMasterOfTheirKey() {
    List<Future<Response>> doubled =
        IntStream.range(0, 300)
            .mapToObj(i -> script.run(commands, List.of("k" + i), List.of("" + i)))
            .toList();
    Futures.get(Future.all(doubled));
    for (int i = 0; i < 300; i++) {
      assertThat(get("k" + i)).isEqualTo("" + 2 * i);
    }
    for (int master : redis.masters()) {
      assertThat(Integer.parseInt(redis.command(master, "DBSIZE"))).isPositive();
    }
    Futures.get(commands.ping());
  }

  @Test
  void oneCommandNamesOneKey() {
    assertThat(
            commands.partition(List.of("a1", "b1", "a2", "b2", "b3"), each -> each.substring(0, 1)))
        .containsExactly(List.of("a1", "a2"), List.of("b1", "b2", "b3"));
  }

  @Test
  void aCommandThatReachesAnotherMasterIsRedirected() {
    for (int i = 0; i < 20; i++) {
      String key = "k" + i;
      Futures.get(commands.send("elsewhere", Request.cmd(Command.SET).arg(key).arg("v")));
      assertThat(get(key)).isEqualTo("v");
    }
  }

  @Test
  void channelsOfAllMastersAreHeardAndLetGo() {
    Set<String> channels = channels(3_000);
    subscribe(channels);
    publish(channels, "once");
    eventually().until(() -> heard.messages.size() == channels.size());
    assertThat(heard.messages).doesNotHaveDuplicates().allMatch(each -> each.endsWith(" once"));
    assertThat(redis.masters()).allMatch(port -> shardChannels(port) > 500);
    pubSub.unsubscribe(channels);
    eventually()
        .untilAsserted(
            () -> assertThat(redis.masters()).allMatch(port -> shardChannels(port) == 1));
    assertThat(heard.downs.get()).isZero();
  }

  @Test
  void whenAMasterIsKilledItsReplicaServesCommandsAndSubscriptions() {
    Set<String> channels = channels(300);
    subscribe(channels);
    int former = redis.masterOf(KeySlot.of("room:1"));
    Set<String> itsOwn = new TreeSet<>(channels);
    itsOwn.retainAll(redis.command(former, "PUBSUB", "SHARDCHANNELS").lines().toList());
    redis.kill(former);
    eventually().untilAsserted(() -> assertThat(heard.lost()).isEqualTo(itsOwn));
    redis.replaced(former);
    assertAllHeard(channels);
    assertCommandsFlow();
    assertThat(heard.lost()).isEqualTo(itsOwn);
    heard.forgetLosses();
    redis.startAgain(former);
    redis.settled(MASTERS);
    assertAllHeard(channels);
    assertThat(heard.lost()).isEmpty();
  }

  @Test
  void whenAMasterFreezesAndThawsItsSuccessorStays() {
    Set<String> channels = channels(300);
    subscribe(channels);
    int former = redis.masterOf(KeySlot.of("room:1"));
    redis.freeze(former);
    assertThat(commands.instances().await().isAll()).as("one is silent").isFalse();
    redis.replaced(former);
    await().until(() -> commands.instances().await().isAll());
    assertAllHeard(channels);
    assertCommandsFlow();
    redis.thaw(former);
    redis.settled(MASTERS);
    assertAllHeard(channels);
    assertCommandsFlow();
  }

  @Test
  void keysAndChannelsFollowASlotThatMoves() {
    Set<String> channels = new TreeSet<>(channels(100));
    String channel = "room:1";
    int slot = KeySlot.of(channel);
    int from = redis.masterOf(slot);
    int to = redis.masters().stream().filter(port -> port != from).findFirst().orElseThrow();
    subscribe(channels);
    set("{room:1}old", "1");
    redis.beginMove(slot, from, to);
    set("{room:1}new", "2");
    assertThat(get("{room:1}old")).isEqualTo("1");
    assertThat(get("{room:1}new")).isEqualTo("2");
    assertThat(redis.command(from, "EXISTS", "{room:1}old")).isEqualTo("1");
    assertThat(redis.command(from, "EXISTS", "{room:1}new")).contains("ASK");
    redis.moveKey("{room:1}old", from, to);
    assertThat(get("{room:1}old")).isEqualTo("1");
    assertThat(heard.lost()).isEmpty();
    redis.endMove(slot, from, to);
    assertThat(get("{room:1}old")).isEqualTo("1");
    set("{room:1}new", "3");
    assertThat(redis.command(to, "GET", "{room:1}new")).isEqualTo("3");
    eventually().until(() -> heard.lost().equals(Set.of(channel)));
    assertAllHeard(channels);
    assertThat(redis.command(to, "PUBSUB", "SHARDCHANNELS")).contains(channel);
    assertThat(heard.lost()).containsExactly(channel);
  }

  @Test
  void theSlotOfABeatMayMove() {
    subscribe(Set.of("room:1"));
    int from = redis.masters().getFirst();
    int to = redis.masters().getLast();
    String beat =
        redis
            .command(from, "PUBSUB", "SHARDCHANNELS")
            .lines()
            .filter(each -> each.contains("beat"))
            .findFirst()
            .orElseThrow();
    int slot = KeySlot.of(beat);
    redis.beginMove(slot, from, to);
    redis.endMove(slot, from, to);
    eventually()
        .until(
            () -> {
              String now = redis.command(from, "PUBSUB", "SHARDCHANNELS");
              return now.contains("beat") && !now.lines().toList().contains(beat);
            });
    eventually().until(pubSub::isUp);
    assertAllHeard(Set.of("room:1"));
  }

  private static Set<String> channels(int count) {
    return IntStream.range(0, count).mapToObj(i -> "room:" + i).collect(Collectors.toSet());
  }

  private long shardChannels(int port) {
    return redis.command(port, "PUBSUB", "SHARDCHANNELS").lines().count();
  }

  private void subscribe(Set<String> channels) {
    pubSub.subscribe(channels);
    eventually().until(() -> heard.confirmed().containsAll(channels));
  }

  private void assertAllHeard(Set<String> channels) {
    eventually().until(() -> commands.isUp() && heard.confirmed().containsAll(channels));
    String token = "t" + said++;
    Set<String> expected =
        channels.stream().map(each -> each + " " + token).collect(Collectors.toSet());
    eventually()
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              publish(channels, token);
              return Set.copyOf(heard.messages).containsAll(expected);
            });
  }

  private void publish(Set<String> channels, String text) {
    channels.forEach(each -> commands.publish(each, text.getBytes(StandardCharsets.UTF_8)));
  }

  private void assertCommandsFlow() {
    for (int i = 0; i < 30; i++) {
      set("k" + i, "v" + said);
      assertThat(get("k" + i)).isEqualTo("v" + said);
    }
  }

  private void set(String key, String value) {
    Futures.get(commands.send(key, Request.cmd(Command.SET).arg(key).arg(value)));
  }

  private String get(String key) {
    return Futures.get(commands.send(key, Request.cmd(Command.GET).arg(key))).toString();
  }

  private static ConditionFactory eventually() {
    return await().pollInterval(Duration.ofMillis(20));
  }
}
