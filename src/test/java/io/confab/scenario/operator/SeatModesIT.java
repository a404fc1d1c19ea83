package io.confab.scenario.operator;

import static io.confab.scenario.room.CappedRoom.awaitInside;
import static io.confab.scenario.room.CappedRoom.type;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ChatClient;
import io.confab.scenario.room.CappedRoom;
import io.confab.testing.OwnCluster;
import io.confab.testing.OwnSentinels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// People enter a room with one seat while the master that has its seats is replaced: nobody comes
/// inside besides who is there, and the line keeps its order.
@Timeout(400)
class SeatModesIT {
  @Test
  void theLineOutlivesTheMasterThatSentinelsReplace() {
    try (OwnSentinels redis = OwnSentinels.start(1);
        CappedRoom room = CappedRoom.on(redis.address())) {
      movesUpAndOutlives(
          room,
          () -> {
            int master = redis.master();
            redis.kill(master);
            redis.masterAfter(master, 0);
          });
    }
  }

  @Test
  void theLineOutlivesTheMasterOfItsSlotInACluster() {
    try (OwnCluster redis = OwnCluster.start(3);
        CappedRoom room = CappedRoom.on(redis.address())) {
      movesUpAndOutlives(
          room,
          () -> {
            int any = redis.masters().getFirst();
            String slot = redis.command(any, "CLUSTER", "KEYSLOT", room.key()).strip();
            int master = redis.masterOf(Integer.parseInt(slot));
            redis.kill(master);
            redis.replaced(master);
          });
    }
  }

  private static void movesUpAndOutlives(CappedRoom room, Runnable failOver) {
    ChatClient a = room.live(room.ann);
    ChatClient b = room.live(room.bob);
    ChatClient c = room.live(room.cleo);
    ChatClient d = room.live(room.dan);
    assertThat(type(room.enter(a))).isEqualTo("seat.inside");
    assertThat(type(room.enter(b))).isEqualTo("seat.waiting");
    assertThat(type(room.enter(c))).isEqualTo("seat.waiting");
    assertThat(type(room.exit(a))).isEqualTo("ok");
    b.awaitFrame("seat.inside");
    assertThat(type(room.enter(d))).isEqualTo("seat.waiting");

    failOver.run();

    room.awaitBobInsideAndCleoBeforeDan();
    assertThat(type(room.exit(b))).isEqualTo("ok");
    awaitInside(c);
    assertThat(d.frames("seat.inside")).isEmpty();
    assertThat(type(room.exit(c))).isEqualTo("ok");
    awaitInside(d);
  }
}
