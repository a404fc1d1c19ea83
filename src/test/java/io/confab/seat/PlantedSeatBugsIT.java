package io.confab.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.simulation.Bug;
import io.confab.simulation.Mutant;
import io.confab.testing.OwnRedis;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random histories find what is wrong with the scripts.
@Tag("full")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlantedSeatBugsIT {
  private static final String SHARED = "resources/io/confab/seat/seats.lua";
  private static final String ENTER = "resources/io/confab/seat/enter.lua";
  private static final String BEAT = "resources/io/confab/seat/beat.lua";
  private static final int HISTORIES = 200;
  private static final String CHECK = "random histories";

  private final OwnRedis redis = OwnRedis.start();

  @AfterAll
  void close() {
    redis.close();
  }

  static Stream<Bug> bugs() {
    return Stream.of(
        Bug.of(
            "who is inside is counted once and then many are let in",
            CHECK,
            SHARED,
            "      held = held + 1\n      if account == here",
            "      if account == here"),
        Bug.of(
            "two may have the same ticket",
            CHECK,
            SHARED,
            "  state.ticket = state.ticket + 1\n  return",
            "  state.ticket = state.opening * BASE + 1 + math.floor(now / 60000) % 1000\n  return"),
        Bug.of(
            "who comes back goes to the head of the line",
            CHECK,
            ENTER,
            "check_in(account, session, deadline or 0)\n",
            """
            if had == 'waiting' and session then wait(account, state.head - 1) end
            check_in(account, session, deadline or 0)
            """),
        Bug.of(
            "seats are forgotten after their time",
            CHECK,
            SHARED,
            "redis.call('PEXPIRE', KEYS[i], ARGV[15])",
            "redis.call('PEXPIRE', KEYS[i], i == 1 and 1 or ARGV[15])"),
        Bug.of(
            "what nodes claim is passed over",
            CHECK,
            BEAT,
            "elseif not had and claim ~= '' and may_claim(account, ARGV[i + 2]) then",
            "elseif not had and claim == 'nothing' then"),
        Bug.of(
            "who has left claims what it gave up",
            CHECK,
            SHARED,
            "return tonumber(redis.call('HGET', KEYS[4], account) or '0') < 0",
            "return false"),
        Bug.of(
            "a seat is let go of when its offer is taken up",
            CHECK,
            SHARED,
            "local function take_up(account)\n  state.offers = state.offers - 1\n",
            "local function take_up(account)\n"),
        Bug.of(
            "a new capacity keeps who was inside under the old one",
            CHECK,
            SHARED,
            " or tonumber(ARGV[16]) > state.rev",
            ""),
        Bug.of(
            "what was had under another capacity is claimed",
            CHECK,
            SHARED,
            " and tonumber(began) == state.began",
            " and began ~= ''"),
        Bug.of(
            "there is no pause",
            CHECK,
            SHARED,
            "return math.max(tonumber(ARGV[4]), state.paused - now)",
            "return 0"));
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void aPlantedBugIsCaught(Bug bug) throws ReflectiveOperationException {
    try (Mutant mutant = Mutant.with(bug)) {
      Object found =
          mutant
              .load(SeatHistories.class.getName())
              .getMethod("differences", String.class, long.class, int.class)
              .invoke(null, redis.address(), 1, HISTORIES);
      assertThat(found).as(bug.name()).isNotEqualTo("");
    }
  }
}
