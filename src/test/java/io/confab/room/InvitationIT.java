package io.confab.room;

import static io.confab.testing.Futures.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.bus.BusMessage;
import io.confab.feed.AccountSignal;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.room.RoomCommand.AcceptInvitation;
import io.confab.room.RoomCommand.AddMember;
import io.confab.room.RoomCommand.ArchiveRoom;
import io.confab.room.RoomCommand.BanMember;
import io.confab.room.RoomCommand.CreateRoom;
import io.confab.room.RoomCommand.DeclineInvitation;
import io.confab.room.RoomCommand.FindInvitation;
import io.confab.room.RoomCommand.GetRoom;
import io.confab.room.RoomCommand.Join;
import io.confab.room.RoomCommand.ListInvitations;
import io.confab.room.RoomCommand.RemoveMember;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Who does not want to be added to rooms, or has left one, is asked, on a real database.
@ExtendWith(VertxExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class InvitationIT {
  private TestDatabase database;
  private RoomNode node;
  private long first;
  private AccountId ann;
  private AccountId bob;
  private AccountId cyd;

  @BeforeAll
  void open(Vertx vertx) {
    database = TestDatabase.create();
    node = new RoomNode(vertx, database.url());
  }

  @AfterAll
  void close() {
    node.close();
    database.close();
  }

  @BeforeEach
  void start() {
    first += 100;
    database.execute(
        "INSERT INTO account SELECT g, 'u' || g, 'U ' || g FROM generate_series(%d, %d) g"
            .formatted(first, first + 20));
    ann = account(0);
    bob = account(1);
    cyd = account(2);
    node.announcer.signals.clear();
  }

  private AccountId account(int i) {
    return new AccountId(first + i);
  }

  private void wants(AccountId account, String invitesFrom) {
    database.execute(
        "UPDATE account SET invites_from = '%s' WHERE account_id = %d"
            .formatted(invitesFrom, account.value()));
  }

  private RoomId group(AccountId... others) {
    return node.create(ann, RoomType.GROUP, "G", List.of(others)).roomId();
  }

  /// Whether the account is a member at once; else it is invited.
  private boolean isAdded(AccountId by, RoomId room, AccountId account) {
    boolean added = node.get(new AddMember(by, room, account, null)).member() != null;
    assertThat(isInvited(account, room)).isEqualTo(!added);
    return added;
  }

  private boolean isInvited(AccountId account, RoomId room) {
    return node.get(new FindInvitation(account, room)).invitation() != null;
  }

  private ErrorCode refused(RoomCommand<? extends BusMessage> command) {
    return refusal(node.ask(command));
  }

  private long told(AccountId account, RoomId room) {
    return node.announcer.signals.stream()
        .filter(new AccountSignal.Invited(account, room)::equals)
        .count();
  }

  @Test
  void aSettingSaysWhoIsAsked() {
    RoomId room = group(cyd);
    assertThat(isAdded(ann, room, bob)).isTrue();

    wants(account(3), "nobody");
    assertThat(isAdded(ann, room, account(3))).isFalse();

    wants(account(4), "shared_rooms");
    assertThat(isAdded(ann, room, account(4))).isFalse();
    group(account(5));
    wants(account(5), "shared_rooms");
    assertThat(isAdded(ann, room, account(5))).isTrue();
  }

  @Test
  void whoIsAskedJoinsByAcceptingAndIsTold() {
    RoomId room = group();
    wants(bob, "nobody");
    node.get(new AddMember(ann, room, bob, null));
    node.get(new AddMember(ann, room, bob, null));
    assertThat(told(bob, room)).isEqualTo(1);
    assertThat(refused(new GetRoom(bob, room))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(node.get(new ListInvitations(bob, null, 9)).invitations())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.roomId()).isEqualTo(room);
              assertThat(one.invitedBy()).isEqualTo(ann);
              assertThat(one.name()).isEqualTo("G");
              assertThat(one.memberCount()).isEqualTo(1);
            });

    assertThat(node.get(new AcceptInvitation(bob, room)).room().role()).isEqualTo(Role.MEMBER);
    assertThat(told(bob, room)).isEqualTo(2);
    assertThat(isInvited(bob, room)).isFalse();
    node.get(new AcceptInvitation(bob, room));
  }

  @Test
  void nobodyJoinsByAnInvitationOfSomebodyElse() {
    RoomId room = group();
    wants(bob, "nobody");
    node.get(new AddMember(ann, room, bob, null));

    assertThat(refused(new AcceptInvitation(cyd, room))).isEqualTo(ErrorCode.NOT_FOUND);
    node.get(new DeclineInvitation(cyd, room));
    node.get(new DeclineInvitation(cyd, new RoomId(1)));
    node.get(new AcceptInvitation(bob, room));
  }

  @Test
  void oneRoomAsksOnceADay() {
    RoomId room = group();
    wants(bob, "nobody");
    node.get(new AddMember(ann, room, bob, null));
    node.get(new DeclineInvitation(bob, room));
    assertThat(told(bob, room)).isEqualTo(2);
    assertThat(refused(new AcceptInvitation(bob, room))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refused(new AddMember(ann, room, bob, null))).isEqualTo(ErrorCode.CONFLICT);
    assertThat(isAdded(ann, group(), bob)).isFalse();

    database.execute("UPDATE invitation SET ts = ts - interval '25 hours'");
    assertThat(isAdded(ann, room, bob)).isFalse();
    database.execute("UPDATE invitation SET ts = ts - interval '31 days'");
    assertThat(isInvited(bob, room)).isFalse();
    assertThat(refused(new AcceptInvitation(bob, room))).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void whoLeftIsAskedAndWhoWasRemovedIsNot() {
    RoomId room = group(bob, cyd);
    node.get(new RemoveMember(bob, room, bob));
    node.get(new RemoveMember(ann, room, cyd));

    assertThat(isAdded(ann, room, bob)).isFalse();
    assertThat(isAdded(ann, room, cyd)).isTrue();
    node.get(new AcceptInvitation(bob, room));
    node.get(new RemoveMember(ann, room, bob));
    assertThat(isAdded(ann, room, bob)).isTrue();
  }

  @Test
  void whoLeftALargeRoomIsAskedToo() {
    AccountId[] many =
        IntStream.range(0, 250).mapToObj(i -> new AccountId(500_000 + i)).toArray(AccountId[]::new);
    database.execute(
        "INSERT INTO account SELECT g, 'm' || g, 'M' FROM generate_series(500000, 500249) g");
    RoomId room = group(many);
    node.get(new RemoveMember(many[0], room, many[0]));

    assertThat(isAdded(ann, room, many[0])).isFalse();
  }

  @Test
  void aBackendIsNotAsked() {
    RoomId room = group(cyd);
    wants(bob, "nobody");
    node.get(new RemoveMember(cyd, room, cyd));

    for (AccountId account : List.of(bob, cyd)) {
      assertThat(node.get(new AddMember(ann, room, account, null, false)).member()).isNotNull();
    }
    assertThat(
            node.get(
                    new CreateRoom(
                        ann, RoomType.GROUP, RoomSettings.named("H"), List.of(bob), false, null))
                .room()
                .memberCount())
        .isEqualTo(2);
  }

  @Test
  void ofTheFirstMembersOfARoomTheyAreAskedToo() {
    wants(bob, "nobody");
    var made =
        node.get(new CreateRoom(ann, RoomType.GROUP, RoomSettings.named("G"), List.of(bob, cyd)));

    assertThat(made.invited()).containsExactly(bob);
    assertThat(made.room().memberCount()).isEqualTo(2);
    assertThat(made.room().rev().value()).isEqualTo(2);
    assertThat(told(bob, made.room().roomId())).isEqualTo(1);
    node.get(new AcceptInvitation(bob, made.room().roomId()));
    wants(cyd, "nobody");
    assertThat(node.create(ann, RoomType.DIRECT, null, List.of(cyd)).memberCount()).isEqualTo(2);
  }

  @Test
  void aRoomIsNotMadeWithoutThoseWhoHaveTooManyInvitations() {
    wants(bob, "nobody");
    IntStream.range(0, 49).forEach(_ -> group(bob));
    assertThat(
            node.get(new CreateRoom(ann, RoomType.GROUP, RoomSettings.named("G"), List.of(bob)))
                .invited())
        .containsExactly(bob);
    long rooms = database.count("SELECT count(*) FROM room");

    var another =
        node.ask(new CreateRoom(ann, RoomType.GROUP, RoomSettings.named("G"), List.of(cyd, bob)));
    assertThatThrownBy(() -> Futures.get(another))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(ErrorCode.CONFLICT);
              assertThat(refusal.field()).contains("members");
            });
    assertThat(database.count("SELECT count(*) FROM room")).isEqualTo(rooms);
  }

  @Test
  void anInvitationEndsWithItsReasons() {
    wants(bob, "nobody");
    List<RoomId> rooms =
        Stream.generate(() -> node.create(ann, RoomType.CHANNEL, name(), List.of(cyd)).roomId())
            .limit(6)
            .toList();
    for (RoomId room : rooms) {
      node.get(new AddMember(ann, room, cyd, Role.ADMIN));
      assertThat(isAdded(cyd, room, bob)).isFalse();
    }
    node.announcer.signals.clear();

    node.get(new RemoveMember(cyd, rooms.get(0), cyd));
    node.get(new AddMember(ann, rooms.get(1), cyd, Role.MEMBER));
    node.get(new ArchiveRoom(ann, rooms.get(2)));
    node.get(new BanMember(ann, rooms.get(3), bob, null));
    node.get(new Join(bob, rooms.get(4)));
    for (RoomId room : rooms.subList(0, 5)) {
      assertThat(isInvited(bob, room)).isFalse();
      assertThat(told(bob, room)).isEqualTo(1);
    }
    assertThat(isInvited(bob, rooms.get(5))).isTrue();
    database.execute(
        "INSERT INTO block (account_id, blocked_id) VALUES (%d, %d)"
            .formatted(bob.value(), cyd.value()));
    assertThat(node.get(new ListInvitations(bob, null, 9)).invitations()).isEmpty();
    assertThat(refused(new AcceptInvitation(bob, rooms.get(5)))).isEqualTo(ErrorCode.NOT_FOUND);
  }

  private void age(AccountId account, String column, String interval) {
    database.execute(
        "UPDATE invitation SET %s = now() - interval '%s' WHERE account_id = %d"
            .formatted(column, interval, account.value()));
  }

  private long rows(AccountId account) {
    return database.count("SELECT count(*) FROM invitation WHERE account_id = " + account.value());
  }

  /// What it sees of the accounts of this test.
  private List<AccountSignal> look(InvitationWatch watch, List<AccountSignal> seen) {
    seen.clear();
    Futures.get(watch.look());
    return seen.stream()
        .filter(signal -> signal.account().value() >= first)
        .filter(signal -> signal.account().value() < first + 100)
        .toList();
  }

  @Test
  void whatNobodyToldIsSeenByEachNodeOnce(Vertx vertx) {
    List<AccountSignal> seen = new ArrayList<>();
    Database pool = new Database(vertx, database.nodeUrl(), TestConfig.postgres());
    InvitationWatch watch = new InvitationWatch(vertx, pool, seen::add);
    RoomId room = group();
    List.of(bob, account(3), account(4)).forEach(each -> wants(each, "nobody"));
    assertThat(look(watch, seen)).isEmpty();

    node.get(new AddMember(ann, room, bob, null));
    node.get(new AddMember(ann, room, account(3), null));
    assertThat(look(watch, seen))
        .contains(
            new AccountSignal.Invited(bob, room), new AccountSignal.Invited(account(3), room));

    database.execute(
        "INSERT INTO block (account_id, blocked_id) VALUES (%d, %d)"
            .formatted(bob.value(), ann.value()));
    age(account(3), "ts", "31 days");
    database.execute("UPDATE invitation SET changed_at = now() - interval '1 hour' WHERE open");
    assertThat(look(watch, seen))
        .contains(
            new AccountSignal.Invited(bob, room), new AccountSignal.Invited(account(3), room));
    assertThat(
            database.count(
                "SELECT count(*) FROM invitation WHERE open AND account_id = "
                    + account(3).value()))
        .isZero();

    database.execute("UPDATE invitation SET changed_at = now() - interval '1 hour'");
    assertThat(look(watch, seen)).isEmpty();
    Futures.get(pool.close());
  }

  @Test
  void whatIsCommittedAfterALookIsSeenByTheNext(Vertx vertx) throws SQLException {
    List<AccountSignal> seen = new ArrayList<>();
    Database pool = new Database(vertx, database.nodeUrl(), TestConfig.postgres());
    InvitationWatch watch = new InvitationWatch(vertx, pool, seen::add);
    RoomId room = group();
    try (Connection slow = TestDatabase.connect(database.url());
        var statement = slow.createStatement()) {
      slow.setAutoCommit(false);
      statement.execute(
          "INSERT INTO invitation (room_id, account_id, invited_by) VALUES (%d, %d, %d)"
              .formatted(room.value(), bob.value(), ann.value()));
      assertThat(look(watch, seen)).isEmpty();
      assertThat(look(watch, seen)).isEmpty();
      slow.commit();
    }
    assertThat(look(watch, seen)).contains(new AccountSignal.Invited(bob, room));
    Futures.get(pool.close());
  }

  @Test
  void moreChangesThanOnePageAreAllSeen(Vertx vertx) {
    List<AccountSignal> seen = new ArrayList<>();
    Database pool = new Database(vertx, database.nodeUrl(), TestConfig.postgres());
    InvitationWatch watch = new InvitationWatch(vertx, pool, seen::add);
    RoomId room = group();
    look(watch, seen);
    long many = first * 1_000_000;
    database.execute(
        """
        INSERT INTO account SELECT g, 'm' || g, 'M' FROM generate_series(%1$d, %2$d) g;
        INSERT INTO invitation (room_id, account_id, invited_by)
          SELECT %3$d, g, %4$d FROM generate_series(%1$d, %2$d) g;
        """
            .formatted(many, many + 1200, room.value(), ann.value()));
    look(watch, seen);
    assertThat(seen.stream().filter(s -> s.account().value() >= many).distinct()).hasSize(1201);
    Futures.get(pool.close());
  }

  @Test
  void anEndedInvitationIsKeptAsLongAsItStandsInTheWayOfTheNext(Vertx vertx) {
    Database pool = new Database(vertx, database.nodeUrl(), TestConfig.postgres());
    InvitationStore store = new InvitationStore(pool);
    RoomId room = group();
    wants(bob, "nobody");
    wants(cyd, "nobody");
    node.get(new AddMember(ann, room, bob, null));
    node.get(new AddMember(ann, room, cyd, null));
    age(cyd, "changed_at", "3 days");
    node.get(new DeclineInvitation(bob, room));
    age(bob, "changed_at", "1 day");
    Futures.get(store.forgetEnded(pool.client(), 100));
    assertThat(rows(bob)).isOne();
    assertThat(isInvited(cyd, room)).isTrue();

    age(bob, "changed_at", "49 hours");
    Futures.get(store.forgetEnded(pool.client(), 100));
    assertThat(rows(bob)).isZero();
    assertThat(isInvited(cyd, room)).isTrue();
    Futures.get(pool.close());
  }

  private int names;

  private String name() {
    return "Channel " + first + " " + names++;
  }

  /// Whatever comes first: nobody is in by the word of somebody who may not give it any more.
  @Test
  void ofAcceptingAndDemotingAtOnceEitherIsFirst() {
    for (int i = 3; i < 13; i++) {
      AccountId one = account(i);
      wants(one, "nobody");
      RoomId room = group(cyd);
      node.get(new AddMember(ann, room, cyd, Role.ADMIN));
      node.get(new AddMember(cyd, room, one, null));

      var demoted = node.ask(new AddMember(ann, room, cyd, Role.MEMBER));
      var accepted = node.ask(new AcceptInvitation(one, room));
      Futures.get(demoted);
      Futures.get(accepted.otherwiseEmpty());

      assertThat(
              database.count(
                  """
                  SELECT count(*) FROM room_change joined JOIN room_change demoted USING (room_id)
                  WHERE room_id = %d AND joined.kind = 'member.joined' AND joined.rev > demoted.rev
                    AND demoted.kind = 'member.role' AND demoted.data ->> 'role' = 'member'
                  """
                      .formatted(room.value())))
          .isZero();
      assertThat(isInvited(one, room)).isFalse();
    }
  }
}
