package io.confab.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeatSweepTest {
  private static final SeatNumbers QUIET = new SeatNumbers(0, -1, false, 1, 0, 0, 1, 0, 0);

  private final Map<RoomId, Capacity> rooms = new HashMap<>();
  private final Set<RoomId> visited = new HashSet<>();
  private Future<SeatNumbers> answer = Future.succeededFuture(QUIET);
  private long now;

  private final SeatSweep sweep =
      new SeatSweep(
          new SeatSweep.Sources() {
            @Override
            public Future<Boolean> leads() {
              return Future.succeededFuture(true);
            }

            @Override
            public Future<Map<RoomId, Capacity>> inUse() {
              return Future.succeededFuture(rooms);
            }

            @Override
            public Future<SeatNumbers> visit(RoomId room, Capacity capacity) {
              visited.add(room);
              return answer;
            }
          },
          () -> now);

  private void pass(Duration time) {
    long end = now + time.toNanos();
    while (now < end) {
      sweep.tick();
      now += Duration.ofMillis(250).toNanos();
    }
  }

  @Test
  void everyRoomHasItsTurnHoweverManyThereAre() {
    for (int room = 1; room <= SeatSweep.MOST; room++) {
      rooms.put(new RoomId(room), new Capacity(1, 1, 0));
    }
    pass(RedisSeats.OFFER);
    assertThat(visited).hasSize(SeatSweep.MOST);
    assertThat(sweep.totals().inside()).isEqualTo(SeatSweep.MOST);
  }

  @Test
  void aRoomWithAnotherCapacityOfTheSameSizeIsVisitedSoon() {
    rooms.put(new RoomId(7), new Capacity(1, 1, 0));
    pass(RedisSeats.OFFER);
    visited.clear();
    rooms.put(new RoomId(7), new Capacity(1, 3, 3));
    pass(Duration.ofSeconds(6));
    assertThat(visited).containsExactly(new RoomId(7));
  }

  @Test
  void aCapacityThatChangesWhileItsRoomIsVisitedIsBroughtByAnotherVisitSoon() {
    rooms.put(new RoomId(7), new Capacity(1, 1, 0));
    Promise<SeatNumbers> slow = Promise.promise();
    answer = slow.future();
    pass(Duration.ofSeconds(1));
    rooms.put(new RoomId(7), new Capacity(2, 2, 0));
    pass(Duration.ofSeconds(6));
    visited.clear();
    answer = Future.succeededFuture(QUIET);
    slow.complete(QUIET);
    pass(Duration.ofSeconds(1));
    assertThat(visited).containsExactly(new RoomId(7));
    visited.clear();
    pass(Duration.ofSeconds(6));
    assertThat(visited).as("once").isEmpty();
  }
}
