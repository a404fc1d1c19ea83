package io.confab.scenario.operator;

import io.confab.scenario.operator.RoomTalk.Ledger;
import io.confab.testing.OwnCluster;
import io.confab.testing.OwnRedis;
import io.confab.testing.OwnSentinels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// People on two nodes talk for minutes while their Redis is struck again and again; in the end
/// everybody must have heard every message once and in order. Run by `scripts/soak-redis`; not
/// part of the tests.
@Timeout(7_200)
class RedisSoak {
  private static final int RATE = 50;
  private static final int PEOPLE = 6;
  private static final int ROOMS = 20;
  private static final int CALM = 3 * RATE;

  /// Something that happens to Redis; done when Redis is whole again.
  private record Strike(String name, Runnable work) {}

  private record Struck(String name, long from, long to) {}

  private final List<Struck> history = new ArrayList<>();

  @Test
  void soak() throws InterruptedException {
    switch (System.getProperty("soak.mode", "standalone")) {
      case "standalone" -> standalone();
      case "sentinel" -> sentinel();
      case "cluster" -> cluster();
      default -> throw new IllegalArgumentException("soak.mode: standalone, sentinel or cluster");
    }
  }

  private void standalone() throws InterruptedException {
    try (OwnRedis redis = OwnRedis.start();
        RoomTalk talk = RoomTalk.between(redis.address(), PEOPLE, ROOMS)) {
      run(
          talk,
          new Strike(
              "kill -9, started again after 2 s",
              () -> {
                redis.kill();
                talk.say(2 * RATE);
                redis.startAgain();
              }),
          new Strike(
              "frozen for 8 s",
              () -> {
                redis.freeze();
                talk.say(8 * RATE);
                redis.thaw();
              }));
    }
  }

  private void sentinel() throws InterruptedException {
    try (OwnSentinels redis = OwnSentinels.start(2);
        RoomTalk talk = RoomTalk.between(redis.address(), PEOPLE, ROOMS)) {
      run(
          talk,
          new Strike(
              "kill -9 of the master",
              () -> {
                int master = redis.master();
                redis.kill(master);
                redis.masterAfter(master, 1);
                redis.startAgain(master);
                redis.masterAfter(0, 2);
              }),
          new Strike(
              "master frozen until it was replaced",
              () -> {
                int master = redis.master();
                redis.freeze(master);
                redis.masterAfter(master, 1);
                redis.thaw(master);
                redis.masterAfter(0, 2);
              }));
    }
  }

  private void cluster() throws InterruptedException {
    try (OwnCluster redis = OwnCluster.start(3);
        RoomTalk talk = RoomTalk.between(redis.address(), PEOPLE, ROOMS)) {
      run(
          talk,
          new Strike(
              "kill -9 of a master",
              () -> {
                int master = redis.masters().get(history.size() % 3);
                redis.kill(master);
                redis.replaced(master);
                redis.startAgain(master);
                redis.settled(3);
              }),
          new Strike(
              "a master frozen until it was replaced",
              () -> {
                int master = redis.masters().get(history.size() % 3);
                redis.freeze(master);
                redis.replaced(master);
                redis.thaw(master);
                redis.settled(3);
              }),
          new Strike(
              "every second slot of a master moved",
              () -> {
                List<Integer> masters = redis.masters();
                redis.moveHalf(
                    masters.get(history.size() % 3), masters.get((history.size() + 1) % 3));
              }));
    }
  }

  private void run(RoomTalk talk, Strike... strikes) throws InterruptedException {
    Duration time = Duration.ofMinutes(Integer.getInteger("soak.minutes", 2));
    long end = System.nanoTime() + time.toNanos();
    talk.start(RATE);
    talk.say(CALM);
    for (int i = 0; System.nanoTime() < end; i++) {
      Strike strike = strikes[i % strikes.length];
      long from = System.nanoTime();
      strike.work().run();
      history.add(new Struck(strike.name(), from, System.nanoTime()));
      talk.say(CALM);
    }
    report(talk, talk.stop());
  }

  private void report(RoomTalk talk, Ledger ledger) {
    System.out.printf(
        "%d messages, %d receipts: none lost, none twice, all in order%n",
        ledger.messages(), ledger.delays().length);
    System.out.printf(
        "from sending to hearing: p50 %d ms, p99 %d ms, longest %d ms%n",
        ledger.percentile(0.5), ledger.percentile(0.99), ledger.percentile(1));
    Map<String, List<Long>> longest = new TreeMap<>();
    for (Struck each : history) {
      longest
          .computeIfAbsent(each.name(), first -> new ArrayList<>())
          .add(talk.longestDelay(each.from(), each.to()).toMillis());
    }
    longest.forEach(
        (name, delays) ->
            System.out.printf(
                "%s: %d times, longest delays in ms %s%n", name, delays.size(), delays));
  }
}
