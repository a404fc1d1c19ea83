package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.confab.presence.PresenceWord.Kind;
import io.confab.presence.RedisPresence.Kept;
import io.confab.presence.RedisPresence.Said;
import io.confab.protocol.AccountId;
import io.confab.protocol.NodeId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisUrl;
import io.confab.testing.OwnRedis;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What the scripts do. Time is passed by making what is in Redis older.
@ExtendWith(VertxExtension.class)
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisPresenceIT {
  private static final AccountId ANN = new AccountId(42);
  private static final NodeId ONE = new NodeId("n1");
  private static final NodeId OTHER = new NodeId("n2");

  /// Longer than a machine stands still.
  private static final Duration HEARD_MORE = Duration.ofMinutes(1);

  private final OwnRedis redis = OwnRedis.start();
  private final RedisCommands commands;
  private final RedisKeys keys = new RedisKeys("test:");
  private final RedisPresence presence;
  private final TcpProxy proxy;

  /// By way of the proxy.
  private final RedisCommands lossy;

  RedisPresenceIT(Vertx vertx) {
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(30));
    this.presence = new RedisPresence(commands, keys, new PresenceShards(1), "calls");
    this.proxy = TcpProxy.before(redis.address(), Filter::none);
    this.lossy = new RedisCommands(vertx, RedisUrl.parse(proxy.url()), Duration.ofSeconds(30));
  }

  @BeforeAll
  void open() {
    commands.open();
    lossy.open();
    Awaitility.await().until(() -> commands.isUp() && lossy.isUp());
  }

  @BeforeEach
  void settle() {
    say(ONE, new PresenceWord(new AccountId(1), Kind.CHANGE, PresenceStatus.ONLINE));
    pass(Duration.ofSeconds(10));
    sweep(ONE);
    passSwept(Duration.ofSeconds(13)); // enough since all were silent
  }

  @AfterEach
  void empty() {
    send(Request.cmd(Command.FLUSHALL));
  }

  @AfterAll
  void close() {
    commands.close().await();
    lossy.close().await();
    proxy.close();
    redis.close();
  }

  private Response send(Request request) {
    return commands.send(request.toString(), request).await();
  }

  private Said say(NodeId node, PresenceWord... words) {
    return presence.say(node, 0, since(), List.of(words)).await();
  }

  private long since() {
    Response since = send(Request.cmd(Command.HGET).arg(keys.onlineState("")).arg("since"));
    return since == null ? 0 : since.toLong();
  }

  private List<PresenceStatus> told(NodeId node, Kind kind, PresenceStatus status) {
    return say(node, new PresenceWord(ANN, kind, status)).transitions().stream()
        .map(Transition::status)
        .toList();
  }

  private List<AccountId> sweep(NodeId node) {
    return presence.sweep(node, 0).await().stream().map(Transition::account).toList();
  }

  private RedisPresence.Known known() {
    return Objects.requireNonNull(presence.find(List.of(ANN)).await().get(ANN));
  }

  private PresenceStatus found() {
    return known().status();
  }

  /// Makes all that is in Redis older.
  private void pass(Duration time) {
    long ms = time.toMillis();
    Response users =
        send(
            Request.cmd(Command.ZRANGE)
                .arg(keys.onlineUsers(""))
                .arg("0")
                .arg("-1")
                .arg("WITHSCORES"));
    for (int i = 0; i < users.size(); i++) {
      Response user = users.get(i);
      String account = user.size() > 0 ? user.get(0).toString() : user.toString();
      double score = user.size() > 0 ? user.get(1).toDouble() : users.get(++i).toDouble();
      send(
          Request.cmd(Command.ZADD)
              .arg(keys.onlineUsers(""))
              .arg(Long.toString((long) score - ms))
              .arg(account));
      String entry =
          send(Request.cmd(Command.HGET).arg(keys.onlineNodes("")).arg(account)).toString();
      send(Request.cmd(Command.HSET).arg(keys.onlineNodes("")).arg(account).arg(older(entry, ms)));
    }
    for (String field : List.of("since", "heard", "unbroken", "sweeper_until")) {
      Response at = send(Request.cmd(Command.HGET).arg(keys.onlineState("")).arg(field));
      if (at != null) {
        send(
            Request.cmd(Command.HSET)
                .arg(keys.onlineState(""))
                .arg(field)
                .arg(Long.toString(at.toLong() - ms)));
      }
    }
  }

  private static String older(String entry, long ms) {
    return java.util.regex.Pattern.compile("\\d{13}")
        .matcher(entry)
        .replaceAll(at -> Long.toString(Long.parseLong(at.group()) - ms));
  }

  /// As if nodes had asked for it all the time, and for some time more.
  private void passSwept(Duration time) {
    for (long left = time.toSeconds(); left > 0; left -= 4) {
      pass(Duration.ofSeconds(Math.min(4, left)));
      say(ONE, new PresenceWord(new AccountId(1), Kind.BEAT, PresenceStatus.ONLINE));
      send(
          Request.cmd(Command.HSET)
              .arg(keys.onlineState(""))
              .arg("heard")
              .arg(Long.toString(System.currentTimeMillis() + HEARD_MORE.toMillis())));
    }
  }

  @Test
  void whoComesIsToldOnceAndWhoLeavesOnce() {
    assertThat(told(ONE, Kind.CHANGE, PresenceStatus.ONLINE))
        .containsExactly(PresenceStatus.ONLINE);
    assertThat(told(ONE, Kind.BEAT, PresenceStatus.ONLINE)).isEmpty();
    assertThat(told(ONE, Kind.CHANGE, PresenceStatus.AWAY)).containsExactly(PresenceStatus.AWAY);
    assertThat(found()).isEqualTo(PresenceStatus.AWAY);
    assertThat(told(ONE, Kind.CHANGE, PresenceStatus.OFFLINE))
        .containsExactly(PresenceStatus.OFFLINE);
    assertThat(told(ONE, Kind.CHANGE, PresenceStatus.OFFLINE)).isEmpty();
    assertThat(found()).isEqualTo(PresenceStatus.OFFLINE);
  }

  @Test
  void theMostPresentNodeCounts() {
    told(ONE, Kind.CHANGE, PresenceStatus.AWAY);
    assertThat(told(OTHER, Kind.CHANGE, PresenceStatus.ONLINE))
        .containsExactly(PresenceStatus.ONLINE);
    assertThat(told(ONE, Kind.CHANGE, PresenceStatus.OFFLINE)).isEmpty();
    assertThat(told(ONE, Kind.CHANGE, PresenceStatus.AWAY)).isEmpty();
    assertThat(told(OTHER, Kind.CHANGE, PresenceStatus.OFFLINE))
        .containsExactly(PresenceStatus.AWAY);
  }

  @Test
  void versionsRise() {
    long first = say(ONE, online()).transitions().getFirst().version();
    long found = known().version();
    long next =
        say(ONE, new PresenceWord(ANN, Kind.CHANGE, PresenceStatus.OFFLINE))
            .transitions()
            .getFirst()
            .version();
    assertThat(found).isGreaterThanOrEqualTo(first);
    assertThat(next).isGreaterThan(first);
  }

  private static PresenceWord online() {
    return new PresenceWord(ANN, Kind.CHANGE, PresenceStatus.ONLINE);
  }

  @Test
  void aNodeThatSaysNothingMoreTakesItsPeopleOffline() {
    told(OTHER, Kind.CHANGE, PresenceStatus.ONLINE);
    passSwept(Duration.ofSeconds(20));
    assertThat(sweep(ONE)).isEmpty();
    passSwept(Duration.ofSeconds(11));
    assertThat(sweep(ONE)).containsExactly(ANN);
    assertThat(sweep(ONE)).isEmpty();
    assertThat(told(OTHER, Kind.BEAT, PresenceStatus.ONLINE))
        .as("it was only slow")
        .containsExactly(PresenceStatus.ONLINE);
  }

  @Test
  void aNodeThatDiedCountsNoLongerBesideAnother() {
    told(OTHER, Kind.CHANGE, PresenceStatus.ONLINE);
    told(ONE, Kind.CHANGE, PresenceStatus.AWAY);
    passSwept(Duration.ofSeconds(31));
    assertThat(told(ONE, Kind.BEAT, PresenceStatus.AWAY)).containsExactly(PresenceStatus.AWAY);
  }

  @Test
  void oneNodeSweeps() {
    told(ONE, Kind.CHANGE, PresenceStatus.ONLINE);
    passSwept(Duration.ofSeconds(31));
    send(
        Request.cmd(Command.HSET)
            .arg(keys.onlineState(""))
            .arg("sweeper")
            .arg(OTHER.value())
            .arg("sweeper_until")
            .arg(Long.toString(System.currentTimeMillis() + 3_600_000)));
    assertThat(sweep(ONE)).as("the other one goes on").isEmpty();
    passSwept(Duration.ofSeconds(1));
    assertThat(sweep(OTHER)).containsExactly(ANN);
  }

  @Test
  void nobodyIsTakenOutSoonAfterAllWereSilent() {
    told(OTHER, Kind.CHANGE, PresenceStatus.ONLINE);
    pass(HEARD_MORE.plusSeconds(60));
    assertThat(sweep(ONE)).isEmpty();
    assertThat(found()).isEqualTo(PresenceStatus.ONLINE);
    assertThat(told(OTHER, Kind.BEAT, PresenceStatus.ONLINE)).isEmpty();
    passSwept(Duration.ofSeconds(13));
    assertThat(sweep(ONE)).isEmpty();
  }

  @Test
  void aWordThatLapsesHoldsForAMoment() {
    Awaitility.await().until(this::isBackInTime);
    assertThat(told(OTHER, Kind.LAPSE, PresenceStatus.ONLINE)).isEmpty();
    passSwept(Duration.ofSeconds(6));
    assertThat(sweep(ONE)).containsExactly(ANN);
  }

  /// Whether its word held when it came back: not if the machine stood still meanwhile.
  private boolean isBackInTime() {
    told(ONE, Kind.CHANGE, PresenceStatus.ONLINE);
    told(OTHER, Kind.CHANGE, PresenceStatus.OFFLINE);
    Duration away = Duration.ofSeconds(1);
    long began = System.nanoTime();
    List<PresenceStatus> told = new ArrayList<>(told(ONE, Kind.LAPSE, PresenceStatus.ONLINE));
    passSwept(away);
    List<AccountId> gone = sweep(ONE);
    told.addAll(told(OTHER, Kind.CHANGE, PresenceStatus.ONLINE));
    if (System.nanoTime() - began > RedisPresence.GRACE.minus(away).toNanos()) {
      return false;
    }
    assertThat(gone).isEmpty();
    assertThat(told).isEmpty();
    return true;
  }

  @Test
  void dataThatWasLostComesBackWithoutAWord() {
    told(ONE, Kind.CHANGE, PresenceStatus.ONLINE);
    long known = since();
    send(Request.cmd(Command.FLUSHALL));
    assertThat(presence.find(List.of(ANN)).await()).as("nobody knows").isEmpty();
    Said again =
        presence
            .say(ONE, 0, known, List.of(new PresenceWord(ANN, Kind.BEAT, PresenceStatus.ONLINE)))
            .await();
    assertThat(again.transitions()).isEmpty();
    assertThat(again.since()).isGreaterThan(known);
    assertThat(found()).isEqualTo(PresenceStatus.ONLINE);
  }

  @Test
  void whoLeavesOneNodeWhileTheDataIsLostMayBeOnAnother() {
    told(ONE, Kind.CHANGE, PresenceStatus.ONLINE);
    told(OTHER, Kind.CHANGE, PresenceStatus.ONLINE);
    long known = since();
    send(Request.cmd(Command.FLUSHALL));
    assertThat(told(ONE, Kind.CHANGE, PresenceStatus.OFFLINE)).isEmpty();
    assertThat(presence.find(List.of(ANN)).await()).isEmpty();
    assertThat(
            presence
                .say(
                    OTHER,
                    0,
                    known,
                    List.of(new PresenceWord(ANN, Kind.BEAT, PresenceStatus.ONLINE)))
                .await()
                .transitions())
        .isEmpty();
    assertThat(found()).isEqualTo(PresenceStatus.ONLINE);
  }

  @Test
  void manyAreFoundAtOnce() {
    List<AccountId> all = LongStream.range(100, 1_400).mapToObj(AccountId::new).toList();
    say(ONE, online());
    Map<AccountId, RedisPresence.Known> found = presence.find(all).await();
    assertThat(found).hasSize(all.size());
    assertThat(found.values()).allMatch(known -> known.status() == PresenceStatus.OFFLINE);
  }

  @Test
  void oneAtATimeCountsARoom() {
    RoomId room = new RoomId(7);
    assertThat(presence.count(room).await()).isEqualTo(new Kept("", true));
    assertThat(presence.count(room).await()).isEqualTo(new Kept("", false));
    presence.keepCount(room, "300 7", Duration.ofHours(1)).await();
    assertThat(presence.count(room).await()).isEqualTo(new Kept("300 7", false));
    olderCount(room, "good_until");
    assertThat(presence.count(room).await()).isEqualTo(new Kept("300 7", true));
    assertThat(presence.count(room).await())
        .as("others take the last one meanwhile")
        .isEqualTo(new Kept("300 7", false));
    olderCount(room, "counting_until");
    assertThat(presence.count(room).await())
        .as("who counted is gone")
        .isEqualTo(new Kept("300 7", true));
    assertThat(send(Request.cmd(Command.PTTL).arg(keys.onlineCount(room))).toLong()).isPositive();
  }

  private void olderCount(RoomId room, String field) {
    send(Request.cmd(Command.HSET).arg(keys.onlineCount(room)).arg(field).arg("1"));
  }

  /// Once more where the answer to something else was lost.
  private void loseTheAnswerThatMakes(PresenceStatus status, Supplier<Future<?>> call) {
    Awaitility.await()
        .until(
            () -> {
              assertThat(proxy.cutAfter(1)).isEqualTo(1);
              assertThatThrownBy(() -> call.get().await()).isInstanceOf(Refusal.class);
              Awaitility.await().until(() -> lossy.ping().map(true).otherwise(false).await());
              return found() == status;
            });
  }

  @Test
  void transitionsWhoseAnswerWasLostAreToldOnce() {
    RedisPresence calling = new RedisPresence(lossy, keys, new PresenceShards(1), "lossy");
    presence.say(ONE, 0, since(), List.of(beat())).await(); // so that the script is known
    loseTheAnswerThatMakes(
        PresenceStatus.ONLINE, () -> calling.say(OTHER, 0, since(), List.of(online())));
    assertThat(told(OTHER, Kind.CHANGE, PresenceStatus.ONLINE)).as("no change any more").isEmpty();
    assertThat(calling.untold(0).await())
        .extracting(Transition::account, Transition::status)
        .containsExactly(tuple(ANN, PresenceStatus.ONLINE));
    assertThat(calling.untold(0).await()).isEmpty();

    passSwept(Duration.ofSeconds(31));
    loseTheAnswerThatMakes(PresenceStatus.OFFLINE, () -> calling.sweep(ONE, 0));
    assertThat(sweep(ONE)).isEmpty();
    assertThat(calling.untold(0).await())
        .extracting(Transition::account, Transition::status)
        .containsExactly(tuple(ANN, PresenceStatus.OFFLINE));
  }

  private static PresenceWord beat() {
    return new PresenceWord(new AccountId(1), Kind.BEAT, PresenceStatus.ONLINE);
  }

  @Test
  void everyKeyEnds() {
    told(ONE, Kind.CHANGE, PresenceStatus.ONLINE);
    for (String key : List.of(keys.onlineUsers(""), keys.onlineNodes(""), keys.onlineState(""))) {
      assertThat(send(Request.cmd(Command.PTTL).arg(key)).toLong()).isPositive();
    }
  }
}
