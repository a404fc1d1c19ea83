package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RedisFanoutIT {
  private static final RoomId ROOM = new RoomId(1);
  private static final AccountId ACCOUNT = new AccountId(1);
  private static final Duration LASTS = Duration.ofMinutes(1);

  private final OwnRedis redis = OwnRedis.start();
  private final Vertx vertx = Vertx.vertx();
  private final RedisKeys keys = new RedisKeys("test:");
  private final RedisCommands commands =
      new RedisCommands(vertx, redis.url(), Duration.ofSeconds(30));
  private final PublicationCodec codec = new PublicationCodec(new byte[32]);
  private final RedisFanout fanout =
      new RedisFanout(
          vertx,
          commands,
          new PubSub(vertx, commands, keys.beatChannel(new NodeId("n1"))),
          keys,
          codec);

  /// Of another node.
  private final PublicationCodec peer = new PublicationCodec(new byte[32]);

  private final List<Object> heard = new CopyOnWriteArrayList<>();

  @BeforeEach
  void open() {
    commands.open();
    fanout.open(
        new Broker.Listener() {
          @Override
          public void event(Event event) {
            heard.add(event.rev());
          }

          @Override
          public void signal(RoomSignal signal) {
            heard.add(FakeBroker.text(signal));
          }

          @Override
          public void signal(AccountSignal signal) {
            heard.add(signal);
          }

          @Override
          public void queued(QueuedSend send) {
            heard.add(send);
          }

          @Override
          public void confirmed(Set<RoomId> rooms, Set<AccountId> accounts) {
            heard.addAll(rooms);
            heard.addAll(accounts);
          }
        });
    eventually().until(() -> commands.isUp() && fanout.isUp());
  }

  @AfterEach
  void close() {
    fanout.close().await();
    commands.close().await();
    vertx.close().await();
    redis.close();
  }

  @Test
  void eventsAndSignalsOfWhatIsWatchedAreReceivedAfterTheConfirmation() {
    fanout.watch(ROOM);
    fanout.watch(ACCOUNT);
    eventually().until(() -> fanout.hears(ROOM) && fanout.hears(ACCOUNT));
    AccountSignal signal = new AccountSignal.Added(ACCOUNT, ROOM);
    fanout.publish(peer.seal(event(ROOM, 1)));
    fanout.publish(peer.seal(event(new RoomId(2), 2)));
    commands.publish(keys.accountChannel(ACCOUNT), peer.encode(signal));
    eventually().until(() -> heard.contains(signal));
    assertThat(heard).containsExactlyInAnyOrder(ROOM, ACCOUNT, new Rev(1), signal);
  }

  @Test
  void whatANodePublishedItselfIsPassedOver() {
    fanout.watch(ROOM);
    fanout.watch(ACCOUNT);
    eventually().until(() -> fanout.hears(ROOM) && fanout.hears(ACCOUNT));
    fanout.publish(codec.seal(event(ROOM, 1)));
    fanout.publish(new AccountSignal.Added(ACCOUNT, ROOM));
    fanout.publish(signal(ROOM, LASTS));
    eventually().until(() -> heard.contains("typing 60000"));
    assertThat(heard).containsExactlyInAnyOrder(ROOM, ACCOUNT, "typing 60000");
    assertThat(fanout.refused()).isZero();
  }

  private static RoomSignal signal(RoomId room, Duration lasts) {
    return new RoomSignal(
        room, ACCOUNT, new RoomSignal.State("typing", lasts), Set.of(), new byte[] {'{', '}'});
  }

  @Test
  void aSignalOfARoomIsHeardAndKeptAsLongAsItLasts() {
    fanout.watch(ROOM);
    eventually().until(() -> fanout.hears(ROOM));
    String key = keys.signal("typing", ROOM, ACCOUNT);
    fanout.publish(signal(ROOM, LASTS));
    fanout.publish(signal(new RoomId(2), LASTS));
    eventually().until(() -> heard.contains("typing 60000"));
    assertThat(key).isEqualTo("test:typing:" + ROOM + ":" + ACCOUNT);
    eventually().until(() -> timeToLive(key) > 0);
    assertThat(timeToLive(key)).isBetween(1L, LASTS.toMillis());
    fanout.publish(signal(ROOM, Duration.ZERO));
    eventually().until(() -> heard.contains("typing 0") && timeToLive(key) < 0);
    assertThat(heard).containsExactly(ROOM, "typing 60000", "typing 0");
    assertThat(fanout.refused()).isZero();
  }

  private long timeToLive(String key) {
    return commands.send(key, Request.cmd(Command.PTTL).arg(key)).await().toLong();
  }

  @Test
  void whileRedisIsAwayASignalIsDroppedAndNotCounted() {
    redis.kill();
    eventually().until(() -> !commands.isUp());
    fanout.publish(signal(ROOM, LASTS));
    assertThat(commands.dropped()).isZero();
    fanout.publish(codec.seal(event(ROOM, 1)));
    assertThat(commands.dropped()).isEqualTo(1);
  }

  @Test
  void whatIsNotSealedWithTheKeyOfThisDatabaseIsDroppedAndCounted() {
    fanout.watch(ROOM);
    eventually().until(() -> fanout.hears(ROOM));
    commands.publish(
        keys.roomChannel(ROOM), new PublicationCodec(new byte[] {1}).seal(event(ROOM, 1)).bytes());
    commands.publish(keys.roomChannel(ROOM), new byte[0]);
    fanout.publish(peer.seal(event(ROOM, 2)));
    eventually().until(() -> heard.contains(new Rev(2)));
    assertThat(heard).containsExactly(ROOM, new Rev(2));
    assertThat(fanout.refused()).isEqualTo(2);
  }

  @Test
  void theSubscriptionEndsSomeTimeAfterTheLastWatcherLeft() {
    fanout.watch(ROOM);
    fanout.watch(ROOM);
    eventually().until(() -> fanout.hears(ROOM));
    fanout.unwatch(ROOM);
    fanout.unwatch(ROOM);
    eventually().until(() -> !fanout.hears(ROOM) && subscribers() == 0);
    fanout.watch(ROOM);
    eventually().until(() -> fanout.hears(ROOM) && subscribers() == 1);
  }

  @Test
  void afterALossOfRedisAllThatIsWatchedIsConfirmedAgain() {
    fanout.watch(ROOM);
    eventually().until(() -> fanout.hears(ROOM));
    redis.kill();
    eventually().until(() -> !fanout.hears(ROOM));
    redis.startAgain();
    eventually().until(() -> fanout.hears(ROOM) && commands.isUp());
    fanout.publish(peer.seal(event(ROOM, 5)));
    eventually().until(() -> heard.contains(new Rev(5)));
    assertThat(heard).containsExactly(ROOM, ROOM, new Rev(5));
  }

  private long subscribers() {
    String channel = keys.roomChannel(ROOM);
    return commands
        .send("k", Request.cmd(Command.PUBSUB).arg("NUMSUB").arg(channel))
        .await()
        .get(channel)
        .toLong();
  }

  private static Event event(RoomId room, long rev) {
    return new Event(room, new Epoch(1), new Rev(rev), new Event.OfRoom(), new byte[] {'{', '}'});
  }

  private static ConditionFactory eventually() {
    return await().pollInterval(Duration.ofMillis(10));
  }
}
