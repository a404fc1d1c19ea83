package io.confab.seat;

import static io.confab.seat.SeatNode.ADMIN;
import static io.confab.seat.SeatNode.OWNER;
import static io.confab.seat.SeatNode.ROOM;
import static io.confab.seat.SeatNode.assertInside;
import static io.confab.seat.SeatNode.place;
import static io.confab.seat.SeatNode.position;
import static io.confab.seat.SeatNode.version;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.AccountSignal.SeatChanged;
import io.confab.feed.GivenSeat;
import io.confab.feed.SeatNews;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.seat.SeatCommand.Disconnected;
import io.confab.seat.SeatCommand.Enter;
import io.confab.seat.SeatCommand.Exit;
import io.confab.seat.SeatCommand.Find;
import io.confab.seat.SeatCommand.LetIn;
import io.confab.seat.SeatCommand.Look;
import io.confab.seat.SeatCommand.Refresh;
import io.confab.seat.SeatCommand.Remove;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What commands about seats do. The room has two seats and six members; account 7 is none.
@ExtendWith(VertxExtension.class)
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeatsIT {
  private static final AccountId STRANGER = new AccountId(7);
  private static final AccountId THREE = new AccountId(3);

  private final OwnRedis redis = OwnRedis.start();
  private TestDatabase schema;
  private SeatNode node;

  @BeforeEach
  void start(Vertx vertx) {
    schema = TestDatabase.create();
    SeatNode.populate(schema, 2, 6);
    node = new SeatNode(vertx, "n", schema, redis.address());
  }

  @AfterEach
  void stop() {
    node.commands.send("x", Request.cmd(Command.FLUSHALL)).await();
    node.close();
    schema.close();
  }

  @AfterAll
  void close() {
    redis.close();
  }

  @Test
  void whoComesFirstIsServedFirstAndWhoWaitsWalksInWhenASeatIsFree() {
    assertThat(node.enter(3)).isEqualTo(new SeatState.Inside(1, 2, 0));
    assertThat(node.enter(4)).isEqualTo(new SeatState.Inside(2, 2, 0));
    assertThat(position(node.enter(5))).isEqualTo(1);
    SeatState last = node.enter(6);
    assertThat(last).isEqualTo(new SeatState.Waiting(2, 1, 2, null, place(last), version(last)));
    assertThat(position(node.enter(6))).as("again").isEqualTo(2);
    node.announcer.signals.clear();
    node.exit(3);
    assertInside(node.find(5));
    assertThat(position(node.find(6))).isEqualTo(1);
    assertThat(node.announcer.signals)
        .containsExactlyInAnyOrder(
            new SeatChanged(THREE, ROOM, SeatNews.LEFT),
            new SeatChanged(
                new AccountId(5),
                ROOM,
                SeatNews.INSIDE,
                new GivenSeat(2, 2, 0, version(last) + 1)));
  }

  @Test
  void whoHasNoSessionIsMadeAnOfferAndTakesItUpByItsNextPoll() {
    node.enter(3);
    node.enter(4);
    assertThat(position(node.poll(5, null))).isEqualTo(1);
    node.exit(4);
    assertThat(node.find(5)).isInstanceOf(SeatState.Offered.class);
    assertThat(position(node.enter(6))).as("an offer counts").isEqualTo(1);
    assertInside(node.poll(5, null));
  }

  @Test
  void whoIsLostKeepsItsPlaceAndTheNextOneIsNotLetPast() {
    node.enter(3);
    node.enter(4);
    node.enter(5);
    node.enter(6);
    node.ask(new Disconnected(ROOM, new AccountId(5)));
    assertThat(position(node.find(6))).isEqualTo(2);
    assertThat(position(node.enter(5))).isEqualTo(1);
    node.ask(new Disconnected(ROOM, new AccountId(5)));
    node.exit(3);
    assertThat(node.find(5)).as("it is not there").isInstanceOf(SeatState.Offered.class);
    assertInside(node.beat(5, null));
  }

  @Test
  void onlyMembersOfRoomsWithACapacityMayEnter() {
    node.assertRefused(new Enter(ROOM, STRANGER, true, null), ErrorCode.NOT_FOUND);
    node.assertRefused(new Enter(new RoomId(8), OWNER, true, null), ErrorCode.INVALID_FIELD);
    node.assertRefused(new Enter(new RoomId(9), OWNER, true, null), ErrorCode.NOT_FOUND);
    assertThat(node.ask(new Find(new RoomId(8), OWNER))).isEqualTo(new SeatState.Outside());
    node.ask(new Exit(ROOM, STRANGER));
    schema.execute("UPDATE room_position SET archived = true WHERE room_id = 7");
    node.assertRefused(new Enter(ROOM, THREE, true, null), ErrorCode.CONFLICT);
  }

  @Test
  void aPlaceOfSomebodyElseIsRefused() {
    node.enter(3);
    node.enter(4);
    String place = place(node.enter(5));
    node.assertRefused(new Enter(ROOM, new AccountId(6), false, place), ErrorCode.INVALID_FIELD);
    node.assertRefused(new Enter(ROOM, new AccountId(6), false, "x"), ErrorCode.INVALID_FIELD);
    assertThat(position(node.poll(5, place))).isEqualTo(1);
    node.exit(5);
    node.enter(6);
    assertThat(position(node.poll(5, place))).as("it was given up").isEqualTo(2);
  }

  @Test
  void membersSeeNumbersThoseInsideNamesAndWhoLeadsTheLine() {
    node.enter(3);
    node.enter(4);
    node.enter(5);
    Seats numbers = node.ask(new Look(ROOM, new AccountId(5)));
    assertThat(numbers).isEqualTo(new Seats(2, 2, 1, null, null));
    assertThat(node.ask(new Look(ROOM, THREE)).accounts())
        .containsExactlyInAnyOrder(THREE, new AccountId(4));
    schema.execute("UPDATE account SET presence_visible_to = 'nobody' WHERE account_id = 4");
    assertThat(node.ask(new Look(ROOM, THREE)).accounts()).containsExactly(THREE);
    Seats all = node.ask(new Look(ROOM, ADMIN));
    assertThat(all.accounts()).hasSize(2);
    assertThat(all.waitingList()).containsExactly(new AccountId(5));
    node.assertRefused(new Look(ROOM, STRANGER), ErrorCode.NOT_FOUND);
  }

  @Test
  void whoLeadsPutsMembersAtTheHeadOfTheLineAndThatIsInTheAudit() {
    node.enter(3);
    node.enter(4);
    node.enter(5);
    assertThat(position(node.ask(new LetIn(ROOM, ADMIN, new AccountId(6))))).isEqualTo(1);
    assertThat(position(node.find(5))).isEqualTo(2);
    assertThat(position(node.ask(new LetIn(ROOM, OWNER, OWNER)))).isEqualTo(1);
    node.assertRefused(new LetIn(ROOM, THREE, THREE), ErrorCode.FORBIDDEN);
    node.assertRefused(new LetIn(ROOM, OWNER, STRANGER), ErrorCode.NOT_FOUND);
    assertThat(actors("seat.let_in")).isEqualTo(2);
  }

  @Test
  void whoLeadsTakesSeatsAndPlacesAndThatIsInTheAudit() {
    node.enter(3);
    node.enter(4);
    node.enter(5);
    node.assertRefused(new Remove(ROOM, THREE, new AccountId(4)), ErrorCode.FORBIDDEN);
    node.assertRefused(new Remove(ROOM, ADMIN, new AccountId(6)), ErrorCode.NOT_FOUND);
    node.announcer.signals.clear();
    node.ask(new Remove(ROOM, ADMIN, THREE));
    assertThat(node.announcer.signals).contains(new SeatChanged(THREE, ROOM, SeatNews.REMOVED));
    assertInside(node.find(5));
    assertThat(actors("seat.removed")).isEqualTo(1);
  }

  /// Who is in the audit: what is asked again stands there again.
  private long actors(String action) {
    return schema.count(
        "SELECT count(DISTINCT actor_id) FROM room_audit WHERE action = '" + action + "'");
  }

  @Test
  void aHigherCapacityLetsTheNextOnesInAndALowerOneThrowsNobodyOut() {
    for (long account = 2; account <= 6; account++) {
      node.enter(account);
    }
    capacity("4");
    node.ask(new Refresh(ROOM, List.of()));
    assertInside(node.find(5));
    assertThat(position(node.find(6))).isEqualTo(1);
    capacity("1");
    node.ask(new Refresh(ROOM, List.of()));
    assertThat(node.find(5)).isEqualTo(new SeatState.Inside(4, 1, 0));
    node.exit(5);
    assertThat(position(node.find(6))).isEqualTo(1);
    node.ask(new Refresh(ROOM, List.of(ADMIN, THREE, new AccountId(4))));
    assertThat(node.find(6)).isEqualTo(new SeatState.Inside(1, 1, 0));
  }

  @Test
  void withoutACapacityNobodyIsInside() {
    node.enter(3);
    capacity("NULL");
    node.ask(new Refresh(ROOM, List.of()));
    assertThat(node.find(3)).isEqualTo(new SeatState.Outside());
    capacity("1");
    assertThat(position(node.enter(3))).as("others may honour what was").isEqualTo(1);
  }

  @Test
  void aNewCapacityFindsNobodyInsideThoughNobodyWasThereWhenTheOldOneEnded() {
    node.enter(3);
    SeatNode.change(schema, 0);
    SeatNode.change(schema, 5);
    node.ask(new Refresh(ROOM, List.of()));
    assertThat(node.beat(3, null)).isEqualTo(new SeatState.Outside());
    assertThat(position(node.enter(4))).as("others may honour what was").isEqualTo(1);
    SeatNode.change(schema, 6);
    node.ask(new Refresh(ROOM, List.of()));
    assertThat(position(node.find(4))).as("another number ends nothing").isEqualTo(1);
  }

  @Test
  void aRoomThatNobodyVisitsIsVisited() {
    node.enter(3);
    node.enter(4);
    node.enter(5);
    String checkin = SeatNode.KEYS.seats(ROOM).get(2);
    node.commands
        .send(checkin, Request.cmd(Command.ZADD).arg(checkin).arg(1).arg(THREE.toString()))
        .await();
    Awaitility.await()
        .until(
            () -> node.announcer.signals.contains(new SeatChanged(THREE, ROOM, SeatNews.EXPIRED)));
    assertInside(node.find(5));
  }

  private void capacity(String value) {
    schema.execute("UPDATE room SET capacity = " + value + " WHERE room_id = 7");
    schema.execute("UPDATE room_position SET last_rev = last_rev + 1 WHERE room_id = 7");
  }
}
