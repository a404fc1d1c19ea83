package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.bus.Bus;
import io.confab.bus.Peer;
import io.confab.bus.Peers;
import io.confab.metrics.Meters;
import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.NodeId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.redis.PubSub;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.testing.OwnRedis;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DigestExchangeIT {
  private static final byte[] KEY = {1, 2, 3};
  private static final NodeId NODE = new NodeId("n1");
  private static final RoomId ROOM = new RoomId(1);

  private final OwnRedis redis = OwnRedis.start();
  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = new Bus(vertx, Peers.alone(new Peer(NODE, Map.of())));
  private final RedisKeys keys = new RedisKeys("test:");
  private final RedisCommands commands =
      new RedisCommands(vertx, redis.url(), Duration.ofSeconds(30));
  private final RedisFanout fanout = fanout(NODE);
  private final RedisFanout other = fanout(new NodeId("n2"));
  private final FeedHub hub = hub(fanout);
  private final FeedHub otherHub = hub(other);
  private final DigestExchange exchange = exchange(fanout, hub, 7);
  private final List<Digest> heard = new CopyOnWriteArrayList<>();

  private static FeedHub hub(RedisFanout fanout) {
    return new FeedHub(
        fanout,
        new FakeRecent(),
        new PublicationCodec(KEY)::seal,
        new DigestLog(),
        new DatabaseEpoch());
  }

  private RedisFanout fanout(NodeId node) {
    return new RedisFanout(
        vertx,
        commands,
        new PubSub(vertx, commands, keys.beatChannel(node)),
        keys,
        new PublicationCodec(KEY));
  }

  private DigestExchange exchange(RedisFanout over, FeedHub of, long nonce) {
    return new DigestExchange(
        vertx,
        over,
        bus,
        of,
        new DigestExchange.Origin(nonce, Duration.ofSeconds(1), KEY, () -> new Epoch(3), _ -> {}),
        new Meters());
  }

  @BeforeEach
  void open() {
    DigestCodec codec = new DigestCodec(KEY);
    commands.open();
    other.open(otherHub);
    other.hearDigests(digest -> codec.decode(digest).ifPresent(heard::add));
    fanout.open(hub);
    exchange.open();
  }

  @AfterEach
  void close() {
    fanout.close().await();
    other.close().await();
    commands.close().await();
    vertx.close().await();
    redis.close();
  }

  private static Event event(long rev) {
    return new Event(ROOM, new Epoch(3), new Rev(rev), new Event.OfRoom(), new byte[0]);
  }

  private static ConditionFactory eventually() {
    return await().pollInterval(Duration.ofMillis(10));
  }

  @Test
  void aNodeGoesOnTellingAndSaysWhenItLeaves() {
    eventually().until(() -> heard.size() >= 2);
    hub.announce(List.of(event(9)));
    exchange.close().await();
    eventually().until(() -> heard.getLast().leaving());
    long first = heard.getFirst().number();
    for (int i = 0; i < heard.size(); i++) {
      assertThat(heard.get(i).number()).isEqualTo(first + i);
      assertThat(heard.get(i).origin()).isEqualTo(new Digest.Origin(NODE, 7));
    }
    assertThat(heard).filteredOn(Digest::leaving).hasSize(1);
    assertThat(heard.stream().flatMap(digest -> digest.contents().moved().stream()))
        .containsExactly(new Digest.Moved(new RoomId(1), new Rev(9)));
  }

  @Test
  void itTellsOnAfterRedisCameBack() {
    eventually().until(() -> !heard.isEmpty());
    redis.kill();
    eventually().until(() -> !fanout.isUp() && !other.isUp());
    long last = heard.getLast().number();
    redis.startAgain();
    eventually().until(() -> heard.getLast().number() > last);
  }

  @Test
  void aNodeAloneFallsQuietAndSpeaksToTheNextOne() {
    RecordingLoop loop = new RecordingLoop();
    otherHub.watch(ROOM, loop);
    eventually().until(() -> other.hears(ROOM));
    eventually().until(() -> !isHeard(loop));
    DigestExchange next = exchange(other, otherHub, 8);
    next.open();
    eventually().until(() -> isHeard(loop));
    next.close().await();
    eventually().until(() -> !isHeard(loop));
  }

  /// Whether an event is published before a signal that comes after it on the same channel.
  private boolean isHeard(RecordingLoop loop) {
    loop.told.clear();
    hub.announce(List.of(event(1)));
    fanout.publish(
        new RoomSignal(
            ROOM,
            new AccountId(1),
            new RoomSignal.State("typing", Duration.ZERO),
            Set.of(),
            new byte[0]));
    eventually().until(() -> loop.told.contains("signal of room 1"));
    return loop.told.contains("event 1");
  }

  @Test
  void whatIsForgedIsDroppedAndCounted() {
    eventually().until(() -> !heard.isEmpty());
    commands.publish(keys.digestChannel(), new byte[] {1, 2, 3});
    commands.publish(
        keys.digestChannel(), new DigestCodec(new byte[] {9}).encode(heard.getFirst()));
    eventually().until(() -> exchange.refused() == 2);
  }
}
