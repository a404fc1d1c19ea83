package io.confab.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.bus.BusMessage;
import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisUrl;
import io.confab.seat.SeatCommand.Beat;
import io.confab.seat.SeatCommand.Enter;
import io.confab.seat.SeatCommand.Exit;
import io.confab.seat.SeatCommand.Find;
import io.confab.seat.SeatCommand.Held;
import io.confab.testing.RecordingAnnouncer;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/// The seats of one node, on a real PostgreSQL and Redis. In room 7 there are accounts 1, who owns
/// it, 2 who is an admin, and others.
final class SeatNode implements AutoCloseable {
  static final RoomId ROOM = new RoomId(7);
  static final AccountId OWNER = new AccountId(1);
  static final AccountId ADMIN = new AccountId(2);
  static final RedisKeys KEYS = new RedisKeys("seat-it:");

  /// A test says once that a session is there, however long it takes then: nobody checks in for it.
  private static final Duration LEASE = Duration.ofMinutes(10);

  final RecordingAnnouncer announcer = new RecordingAnnouncer();
  final RedisCommands commands;
  private final Database database;
  private final SeatHandler handler;

  SeatNode(Vertx vertx, String name, TestDatabase schema, String redis) {
    this.commands = new RedisCommands(vertx, RedisUrl.parse(redis), Duration.ofMinutes(1));
    commands.open();
    this.database = new Database(vertx, schema.nodeUrl(), TestConfig.postgres());
    this.handler =
        SeatDomain.start(
            vertx,
            new NodeId(name),
            new SeatDomain.Storage(database, commands, KEYS, new byte[32]),
            new RedisSeats(commands, KEYS, LEASE),
            announcer,
            new Meters());
    Awaitility.await().until(() -> answers());
  }

  private boolean answers() {
    return handler
        .handle(new Find(new RoomId(99), OWNER))
        .transform(found -> io.vertx.core.Future.succeededFuture(found.succeeded()))
        .await();
  }

  static void populate(TestDatabase schema, int capacity, int members) {
    schema.execute(
        "INSERT INTO account (account_id, handle, display_name)"
            + " SELECT n, 'a' || n, 'A' FROM generate_series(1, "
            + (members + 1)
            + ") n");
    schema.execute(
        "INSERT INTO room (room_id, type, name, member_count, capacity) VALUES (7, 'group', 'Tea', "
            + members
            + ", "
            + capacity
            + "), (8, 'group', 'Free', 1, NULL)");
    schema.execute("INSERT INTO room_position (room_id) VALUES (7), (8)");
    schema.execute(
        "INSERT INTO room_member (room_id, account_id, role) SELECT 7, n,"
            + " CASE n WHEN 1 THEN 'owner' WHEN 2 THEN 'admin' ELSE 'member' END"
            + " FROM generate_series(1, "
            + members
            + ") n");
    schema.execute("INSERT INTO room_member (room_id, account_id, role) VALUES (8, 1, 'owner')");
  }

  /// Asks again while it is not known whether Redis has the seats: a machine that stands still for
  /// longer than what a node knows is good has it look anew. No seat was changed before, but what
  /// is audited may stand there already.
  <R extends BusMessage> R ask(SeatCommand<R> command) {
    return Awaitility.await()
        .ignoreExceptionsMatching(SeatNode::isUnavailable)
        .until(() -> askOnce(command), Objects::nonNull);
  }

  @SuppressWarnings("unchecked")
  private <R extends BusMessage> R askOnce(SeatCommand<R> command) {
    return (R) handler.handle(command).await();
  }

  private static boolean isUnavailable(Throwable failure) {
    return failure instanceof Refusal refusal && refusal.code() == ErrorCode.UNAVAILABLE;
  }

  SeatState enter(long account) {
    return enter(account, true, null);
  }

  SeatState poll(long account, @Nullable String place) {
    return enter(account, false, place);
  }

  SeatState enter(long account, boolean session, @Nullable String place) {
    return ask(new Enter(ROOM, new AccountId(account), session, place));
  }

  void exit(long account) {
    ask(new Exit(ROOM, new AccountId(account)));
  }

  SeatState find(long account) {
    return ask(new Find(ROOM, new AccountId(account)));
  }

  SeatState beat(long account, @Nullable Held held) {
    return ask(new Beat(
            ROOM, List.of(new AccountId(account)), held == null ? List.of() : List.of(held)))
        .states()
        .getFirst();
  }

  SeatState claimSeat(long account, long began, Duration age) {
    return beat(account, new Held(new AccountId(account), null, began, age));
  }

  SeatState claimPlace(long account, SeatState waiting) {
    return beat(account, new Held(new AccountId(account), place(waiting), 0, Duration.ZERO));
  }

  /// As the owner does, with no node told of it.
  static void change(TestDatabase schema, int capacity) {
    schema.execute(
        "SELECT change_room(7, 1, NULL, NULL, NULL, NULL, NULL, NULL, " + capacity + ", NULL)");
  }

  static String place(SeatState waiting) {
    assertThat(waiting).isInstanceOf(SeatState.Waiting.class);
    return ((SeatState.Waiting) waiting).place();
  }

  static long version(SeatState waiting) {
    assertThat(waiting).isInstanceOf(SeatState.Waiting.class);
    return ((SeatState.Waiting) waiting).version();
  }

  static long position(SeatState waiting) {
    assertThat(waiting).isInstanceOf(SeatState.Waiting.class);
    return ((SeatState.Waiting) waiting).position();
  }

  static void assertInside(SeatState state) {
    assertThat(state).isInstanceOf(SeatState.Inside.class);
  }

  void assertRefused(SeatCommand<?> command, ErrorCode code) {
    Assertions.assertThatThrownBy(() -> ask(command))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
  }

  @Override
  public void close() {
    commands.close().await();
    database.close().await();
  }
}
