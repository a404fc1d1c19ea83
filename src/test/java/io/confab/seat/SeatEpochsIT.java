package io.confab.seat;

import static io.confab.seat.SeatNode.ROOM;
import static io.confab.seat.SeatNode.assertInside;
import static io.confab.seat.SeatNode.place;
import static io.confab.seat.SeatNode.position;
import static io.confab.seat.SeatNode.version;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.redis.RedisInstance;
import io.confab.seat.RedisSeats.Visit;
import io.confab.seat.SeatCommand.Refresh;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What becomes of seats when Redis loses them. The room has two seats: 3 and 4 are inside, 5 and 6
/// wait. The pause ends early, by making what the database says older.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class SeatEpochsIT {
  private static final Duration FRESH = Duration.ofSeconds(1);
  private static final Duration LONG_AGO = Duration.ofMinutes(10);

  /// The rev with which the capacity began.
  private static final long BEGAN = 2;

  private final OwnRedis redis = OwnRedis.start();
  private final TestDatabase schema = TestDatabase.create();
  private final Vertx vertx;
  private SeatNode node;
  private SeatState fifth;
  private SeatState sixth;

  SeatEpochsIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @BeforeEach
  void start() {
    SeatNode.populate(schema, 2, 8);
    SeatNode.change(schema, 0);
    SeatNode.change(schema, 2);
    node = node();
    assertInside(node.enter(3));
    assertInside(node.enter(4));
    fifth = node.enter(5);
    sixth = node.poll(6, null);
  }

  private SeatNode node() {
    return new SeatNode(vertx, "n", schema, redis.address());
  }

  @AfterEach
  void stop() {
    node.close();
    schema.close();
    redis.close();
  }

  private void restart() {
    redis.kill();
    redis.startAgain();
    awaitPause();
  }

  /// It lasts until it is ended; for how long Redis was away stays what it is.
  private void awaitPause() {
    until(() -> schema.count("SELECT epoch FROM seat_epoch") == 2);
    schema.execute(
        "UPDATE seat_epoch SET raised_at = raised_at + interval '10 min', away_ms = away_ms +"
            + " 600000");
  }

  private static void until(Callable<Boolean> condition) {
    Awaitility.await().until(condition);
  }

  private void endPause() {
    schema.execute("UPDATE seat_epoch SET raised_at = now() - interval '20 s'");
  }

  @Test
  void aRedisThatStartsEmptyLetsNobodyInUntilNodesAndPollersHaveClaimedWhatTheyHad() {
    restart();
    SeatState seventh = node.enter(7);
    assertThat(position(seventh)).as("nobody is let in").isEqualTo(1);
    assertThat(version(seventh)).as("later than all before").isGreaterThan(version(fifth));
    assertThat(position(node.poll(6, place(sixth)))).as("before 7").isEqualTo(1);
    assertThat(position(node.claimPlace(5, fifth))).as("before 6").isEqualTo(1);
    assertInside(node.claimSeat(4, BEGAN, FRESH));
    assertInside(node.claimSeat(3, BEGAN, FRESH));
    assertThat(node.claimSeat(8, BEGAN, FRESH)).as("above N").isEqualTo(new SeatState.Outside());
    assertThat(position(node.find(6))).isEqualTo(2);
    assertThat(position(node.find(7))).isEqualTo(3);
    endPause();
    node.exit(3);
    until(() -> node.find(5) instanceof SeatState.Inside);
    assertThat(position(node.find(6))).isEqualTo(1);
    assertThat(node.find(4)).isEqualTo(new SeatState.Inside(2, 2, BEGAN));
  }

  @Test
  void whatIsLostWithoutANewInstanceIsNoticedToo() {
    schema.execute("UPDATE room_seats SET opened_at = opened_at - interval '5 s'");
    node.commands.send("x", Request.cmd(Command.FLUSHALL)).await();
    assertThat(position(node.enter(7))).isEqualTo(1);
    assertThat(position(node.claimPlace(5, fifth))).isEqualTo(1);
    assertInside(node.claimSeat(3, BEGAN, FRESH));
    assertThat(node.claimSeat(4, BEGAN, LONG_AGO))
        .as("it may have ended before")
        .isEqualTo(new SeatState.Outside());
    assertThat(position(node.find(5))).as("there is a seat, and a pause").isEqualTo(1);
    assertThat(schema.count("SELECT epoch FROM seat_epoch")).isEqualTo(1);
  }

  @Test
  void afterThePauseNothingIsClaimed() {
    restart();
    assertInside(node.claimSeat(3, BEGAN, FRESH));
    endPause();
    until(() -> node.enter(7) instanceof SeatState.Inside);
    assertThat(node.claimSeat(4, BEGAN, FRESH)).isEqualTo(new SeatState.Outside());
    assertThat(position(node.enter(8))).isEqualTo(1);
    assertThat(position(node.poll(5, place(fifth)))).as("it comes too late").isEqualTo(2);
  }

  @Test
  void aCapacityThatBeganWhileRedisWasAwayFindsNobodyInsideWhateverIsClaimed() {
    assertInside(node.poll(4, null));
    redis.kill();
    SeatNode.change(schema, 0);
    SeatNode.change(schema, 5);
    redis.startAgain();
    awaitPause();
    assertNothingIsClaimed();
    endPause();
    until(() -> node.beat(7, null).equals(new SeatState.Inside(1, 5, BEGAN + 2)));
  }

  @Test
  void aCapacityThatBeganInThePauseFindsNobodyInsideWhateverIsClaimed() {
    assertInside(node.poll(4, null));
    restart();
    assertInside(node.claimSeat(3, BEGAN, FRESH));
    assertInside(node.poll(4, null));
    assertThat(position(node.claimPlace(5, fifth))).isEqualTo(1);
    SeatNode.change(schema, 0);
    SeatNode.change(schema, 5);
    node.ask(new Refresh(ROOM, List.of()));
    assertNothingIsClaimed();
  }

  /// As far as it was had under the capacity that there was first.
  private void assertNothingIsClaimed() {
    assertThat(node.claimSeat(3, BEGAN, FRESH)).isEqualTo(new SeatState.Outside());
    assertThat(node.claimPlace(5, fifth)).isEqualTo(new SeatState.Outside());
    assertThat(position(node.enter(7))).isEqualTo(1);
    assertThat(position(node.poll(4, null))).as("it had a seat").isEqualTo(2);
    assertThat(position(node.poll(6, place(sixth)))).as("it had a place").isEqualTo(3);
  }

  @Test
  void aCallOfAnotherTimeOrForAnotherServerDoesNothing() {
    RedisSeats seats = new RedisSeats(node.commands, SeatNode.KEYS);
    List<String> instances =
        node.commands.instances().await().found().stream().map(RedisInstance::runId).toList();
    assertThat(visit(seats, 0, instances, Long.MAX_VALUE >> 10)).isEqualTo(new SeatAnswer.Stale(1));
    assertThat(visit(seats, 1, List.of("0123"), Long.MAX_VALUE >> 10))
        .isEqualTo(new SeatAnswer.Moved());
    assertThat(visit(seats, 1, instances, 1_000)).isEqualTo(new SeatAnswer.Late());
    assertThat(visit(seats, 2, instances, Long.MAX_VALUE >> 10)).isEqualTo(new SeatAnswer.Absent());
    assertThat(visit(seats, 1, instances, Long.MAX_VALUE >> 10))
        .isInstanceOf(SeatAnswer.Done.class);
  }

  private static SeatAnswer visit(
      RedisSeats seats, long epoch, List<String> instances, long goodUntil) {
    SeatTerms terms =
        new SeatTerms(epoch, instances, goodUntil, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    return seats.visit(new Visit(ROOM, terms, null, null), List.of()).await();
  }

  @Test
  void aDatabaseThatIsAnOlderCopyGetsAHigherEpoch() {
    restart();
    assertInside(node.claimSeat(3, BEGAN, FRESH));
    schema.execute("UPDATE seat_epoch SET epoch = 1, raised_at = NULL");
    schema.execute("UPDATE room_seats SET seat_epoch = 1");
    until(() -> schema.count("SELECT epoch FROM seat_epoch") == 3);
    assertThat(position(node.enter(7))).as("there is a pause").isEqualTo(1);
  }

  @Test
  void nobodyIsLateWhileNobodyCouldSayAnything() {
    node.close();
    schema.execute(
        "UPDATE seat_epoch"
            + " SET resumed_at = now() + interval '1 min', seen_at = now() + interval '1 min'");
    node = node();
    String checkin = SeatNode.KEYS.seats(ROOM).get(2);
    Request overdue =
        Request.cmd(Command.ZADD).arg(checkin).arg(1).arg(new AccountId(3).toString());
    node.commands.send(checkin, overdue).await();
    assertInside(node.find(3));
    assertInside(node.beat(3, null));
  }

  /// Who has a seat on one that is silent cannot check in there.
  @Test
  void serversAreNotSeenWhileOneOfThemIsSilent() {
    node.close();
    schema.execute("UPDATE seat_epoch SET seen_at = now() - interval '1 min', resumed_at = NULL");
    assertThat(resumed(false)).isZero();
    assertThat(resumed(true)).as("nobody is late for now").isEqualTo(1);
  }

  /// So what could not be claimed in between can be after the second one.
  @Test
  void aSilenceThatFollowsAnotherOneBeganWithThatOne() {
    node.close();
    assertThat(away("raised", 40, 30)).isBetween(50_000L, 80_000L);
    assertThat(away("raised", 45, 30)).as("somebody was let in").isBetween(30_000L, 44_000L);
    assertThat(away("resumed", 45, 30)).isBetween(55_000L, 85_000L);
    assertThat(away("resumed", 50, 30)).as("somebody was late").isBetween(30_000L, 49_000L);
  }

  /// For how long nobody had seen the servers, which were not seen for 10 s before.
  ///
  /// @param what was the last that happened: the epoch was `raised`, or the servers `resumed`
  /// @param ago how many seconds
  /// @param seen how many seconds ago they were seen last
  private long away(String what, int ago, int seen) {
    schema.execute(
        ("UPDATE seat_epoch SET raised_at = now() - interval '90 s',"
                + " resumed_at = now() - interval '90 s', away_ms = 10000,"
                + " seen_at = now() - interval '%d s'")
            .formatted(seen));
    schema.execute("UPDATE seat_epoch SET %s_at = now() - interval '%d s'".formatted(what, ago));
    return schema.count(
        "SELECT l.away_ms FROM seat_epoch e, look_at_seats(e.instances, 0, true, true) l");
  }

  private long resumed(boolean whole) {
    return schema.count(
        "SELECT count(l.resumed_ms) FROM seat_epoch e, look_at_seats(e.instances, 0, true, "
            + whole
            + ") l");
  }
}
