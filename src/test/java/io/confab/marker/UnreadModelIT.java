package io.confab.marker;

import static io.confab.testing.TestConfig.onServers;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.config.Rate;
import io.confab.scenario.Nodes;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Unread and mention counts, after whatever people did on two nodes, equal those of a model and
/// those that one SQL statement counts anew. Half way Redis is emptied.
@Timeout(1_200)
class UnreadModelIT {
  private static final long SEED = 20_261_124;
  private static final int WORLDS = 8;
  private static final int CHECKS = 10;

  /// How often both ways of counting differ for the people of a world, who are in rooms always.
  private static final String DRIFT =
      """
      WITH people AS (SELECT account_id FROM account WHERE handle LIKE 'WORLD%')
      SELECT CASE WHEN count(*) > 0 THEN count(*) FILTER
               (WHERE c.unread IS DISTINCT FROM r.unread OR c.mentions IS DISTINCT FROM r.mentions)
             ELSE -1 END
        FROM (SELECT p.account_id, c.room_id, c.unread, c.mentions
                FROM people p CROSS JOIN LATERAL unread_counts(p.account_id) c) c
        FULL JOIN unread_recounted(ARRAY(SELECT account_id FROM people)) r USING (account_id, room_id)
      """;

  private final OwnRedis redis = OwnRedis.start();
  private final Nodes nodes = Nodes.start(0);

  @AfterEach
  void stop() {
    nodes.close();
    redis.close();
  }

  @Test
  @Tag("brief")
  void countsAreExactWhateverHappens() {
    run(2_000);
  }

  @Test
  @Tag("full")
  void countsAreExactAfterAHundredThousandOperations() {
    run(100_000);
  }

  private void run(int operations) {
    for (int i = 0; i < 2; i++) {
      nodes.add(unlimited(onServers(nodes.config(), nodes.postgresUrl(), redis.address())));
    }
    List<UnreadWorld> worlds =
        IntStream.range(0, WORLDS)
            .mapToObj(i -> new UnreadWorld("w" + i, nodes, SEED + i))
            .toList();
    go(worlds, operations / 2);
    redis.kill();
    redis.startAgain();
    go(worlds, operations - operations / 2);
  }

  private void go(List<UnreadWorld> worlds, int operations) {
    int each = operations / worlds.size();
    CompletableFuture.allOf(
            worlds.stream()
                .map(
                    world ->
                        CompletableFuture.runAsync(
                            () -> go(world, each), Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  private void go(UnreadWorld world, int operations) {
    for (int i = 1; i <= operations; i++) {
      world.operate();
      if (i % (operations / CHECKS) == 0) {
        String drift = DRIFT.replace("WORLD", world.name());
        assertThat(nodes.database().count(drift)).as("drift").isZero();
        world.check();
      }
    }
  }

  private static Config unlimited(Config config) {
    Config free = config;
    Rate many = new Rate(1_000_000, Duration.ofSeconds(1), 1_000_000);
    for (String rate :
        List.of("sends", "changes", "markers", "joins", "members", "reads", "requests")) {
      free = TestConfig.with(free, "rates." + rate, many);
    }
    return TestConfig.with(free, "accounts.access_token_ttl", Duration.ofHours(2));
  }
}
