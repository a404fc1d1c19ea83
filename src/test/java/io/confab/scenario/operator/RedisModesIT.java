package io.confab.scenario.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.OwnCluster;
import io.confab.testing.OwnSentinels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// People on two nodes talk while the master of their Redis is replaced.
@Timeout(300)
class RedisModesIT {
  private static final int RATE = 50;

  @Test
  void nothingIsLostWhenSentinelsFailOver() throws InterruptedException {
    try (OwnSentinels redis = OwnSentinels.start(1);
        RoomTalk talk = RoomTalk.between(redis.address(), 4, 6)) {
      talk.start(RATE);
      talk.say(RATE);
      int first = redis.master();
      redis.kill(first);
      redis.masterAfter(first, 0);
      redis.startAgain(first);
      int second = redis.masterAfter(0, 1);
      talk.say(RATE);
      redis.freeze(second);
      redis.masterAfter(second, 0);
      redis.thaw(second);
      talk.say(6 * RATE); // a later event of each room shows what was lost on the way
      assertThat(talk.stop().messages()).isGreaterThan(3 * RATE);
    }
  }

  @Test
  void nothingIsLostWhenAClusterFailsOverAndMovesSlots() throws InterruptedException {
    try (OwnCluster redis = OwnCluster.start(3);
        RoomTalk talk = RoomTalk.between(redis.address(), 4, 6)) {
      talk.start(RATE);
      talk.say(RATE);
      int first = redis.masters().getFirst();
      redis.kill(first);
      redis.replaced(first);
      talk.say(RATE);
      int second = redis.masters().getFirst();
      redis.freeze(second);
      redis.replaced(second);
      redis.thaw(second);
      redis.startAgain(first);
      redis.settled(3);
      redis.moveHalf(redis.masters().getFirst(), redis.masters().getLast());
      talk.say(6 * RATE); // a later event of each room shows what was lost on the way
      assertThat(talk.stop().messages()).isGreaterThan(3 * RATE);
    }
  }
}
