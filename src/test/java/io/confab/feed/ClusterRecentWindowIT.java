package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.feed.RecentEvents.Span;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.testing.OwnCluster;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Recent windows in a cluster of three masters, where no script may name windows of several rooms.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class ClusterRecentWindowIT {
  private static final Epoch EPOCH = new Epoch(3);
  private static final int MASTERS = 3;

  private final OwnCluster redis = OwnCluster.start(MASTERS);
  private final PublicationCodec codec = new PublicationCodec(new byte[32]);
  private final RedisCommands commands;
  private final RecentEvents window;

  ClusterRecentWindowIT(Vertx vertx) {
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(30));
    this.window =
        new RedisRecentWindow(
            commands,
            new RedisKeys(""),
            codec,
            new RedisRecentWindow.Extent(20, 1 << 20, Duration.ofMinutes(10), 1 << 26));
  }

  @AfterEach
  void close() {
    commands.close().await();
    redis.close();
  }

  private List<SealedEvent> call(long room, long rev) {
    return List.of(
        codec.seal(
            new Event(new RoomId(room), EPOCH, new Rev(rev), new Event.OfRoom(), new byte[1])));
  }

  private List<Long> revs(long room) {
    return window
        .read(new RoomId(room), new Span(new Rev(0), new Rev(2), 10), EPOCH)
        .await()
        .stream()
        .map(event -> event.rev().value())
        .toList();
  }

  @Test
  void callsThatComeTogetherGoEachToTheServerOfItsRoom() {
    commands.open();
    await().atMost(Duration.ofMinutes(1)).until(commands::isUp);
    List<Long> rooms = LongStream.rangeClosed(1, 50).boxed().toList();
    window.addAll(
        LongStream.rangeClosed(1, 2)
            .boxed()
            .flatMap(rev -> rooms.stream().map(room -> call(room, rev)))
            .toList());
    await()
        .untilAsserted(
            () ->
                assertThat(rooms)
                    .allSatisfy(room -> assertThat(revs(room)).containsExactly(1L, 2L)));
  }
}
