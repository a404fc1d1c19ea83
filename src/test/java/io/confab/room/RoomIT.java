package io.confab.room;

import static io.confab.testing.Futures.refusal;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.FamilyId;
import io.confab.feed.AccountSignal;
import io.confab.feed.Event;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Fence;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.protocol.SessionId;
import io.confab.room.MembershipStore.Question;
import io.confab.room.RoomCommand.AddMember;
import io.confab.room.RoomCommand.CreateRoom;
import io.confab.room.RoomCommand.Created;
import io.confab.room.RoomCommand.FindChannels;
import io.confab.room.RoomCommand.GetRoom;
import io.confab.room.RoomCommand.Join;
import io.confab.room.RoomCommand.ListMembers;
import io.confab.room.RoomCommand.ListRooms;
import io.confab.room.RoomCommand.ReadMemberships;
import io.confab.room.RoomCommand.RemoveMember;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Rooms on two nodes and one real database.
@ExtendWith(VertxExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class RoomIT {
  private static final int ACCOUNTS = 400;

  private Vertx vertx;
  private TestDatabase database;
  private RoomNode node;
  private RoomNode other;
  private long first;
  private AccountId ann;
  private AccountId bob;
  private AccountId cyd;

  @BeforeAll
  void open(Vertx vertx) {
    this.vertx = vertx;
    database = TestDatabase.create();
  }

  @BeforeEach
  void start() {
    first += 1_000;
    database.execute(
        "INSERT INTO account SELECT g, 'u' || g, 'U ' || g FROM generate_series(%d, %d) g"
            .formatted(first, first + ACCOUNTS - 1));
    node = new RoomNode(vertx, database.url());
    other = new RoomNode(vertx, database.url());
    ann = account(0);
    bob = account(1);
    cyd = account(2);
  }

  @AfterEach
  void stop() {
    node.close();
    other.close();
  }

  @AfterAll
  void close() {
    database.close();
  }

  private AccountId account(int i) {
    return new AccountId(first + i);
  }

  private List<AccountId> accounts(int from, int to) {
    return IntStream.range(from, to).mapToObj(this::account).toList();
  }

  private static JsonObject json(Event event) {
    return new JsonObject(Buffer.buffer(event.frame()));
  }

  /// Revs dense from 1 to the room's, count of members right, spans as members, everything
  /// told.
  private void assertWhole(Room room) {
    long id = room.roomId().value();
    long rev = database.count("SELECT last_rev FROM room_position WHERE room_id = " + id);
    List<Long> revs = LongStream.rangeClosed(1, rev).boxed().toList();
    assertThat(
            database.count(
                "SELECT count(*) FROM room_change WHERE rev BETWEEN 1 AND %d AND room_id = %d"
                    .formatted(rev, id)))
        .isEqualTo(rev);
    assertThat(database.count("SELECT count(*) FROM room_change WHERE room_id = " + id))
        .isEqualTo(rev);
    long members = database.count("SELECT count(*) FROM room_member WHERE room_id = " + id);
    assertThat(database.count("SELECT member_count FROM room WHERE room_id = " + id))
        .isEqualTo(members);
    assertThat(
            database.count(
                "SELECT count(*) FROM member_span WHERE to_rev IS NULL AND room_id = " + id))
        .isEqualTo(members);
    List<Long> told = new ArrayList<>();
    for (RoomNode one : List.of(node, other)) {
      one.announcer.events.stream()
          .filter(e -> e.room().equals(room.roomId()))
          .forEach(e -> told.add(e.rev().value()));
    }
    assertThat(told.stream().sorted().toList()).isEqualTo(revs);
  }

  @Test
  void aGroupBeginsWithItsMembersJoining() {
    Room room = node.create(ann, RoomType.GROUP, "Friends", List.of(bob, cyd, bob, ann));
    assertThat(room.role()).isEqualTo(Role.OWNER);
    assertThat(room.memberCount()).isEqualTo(3);
    assertThat(room.rev()).isEqualTo(new Rev(3));
    assertThat(other.get(new GetRoom(bob, room.roomId())).room().role()).isEqualTo(Role.MEMBER);
    assertThat(node.announcer.events).extracting(e -> e.rev().value()).containsExactly(1L, 2L, 3L);
    JsonObject frame = json(node.announcer.events.get(1));
    assertThat(frame.getLong("ts")).isPositive();
    frame.remove("ts");
    assertThat(frame)
        .isEqualTo(
            new JsonObject()
                .put("type", "room.event")
                .put("room_id", room.roomId().toString())
                .put("rev", 2)
                .put("epoch", 1)
                .put("kind", "member.joined")
                .put("actor_id", ann.toString())
                .put("account_id", bob.toString()));
    assertThat(node.announcer.signals)
        .containsExactlyInAnyOrder(
            new AccountSignal.Added(ann, room.roomId()),
            new AccountSignal.Added(bob, room.roomId()),
            new AccountSignal.Added(cyd, room.roomId()));
    assertWhole(room);
  }

  @Test
  void manyFirstMembersAreOneChange() {
    Room room = node.create(ann, RoomType.GROUP, "Crowd", accounts(1, 300));
    assertThat(room.memberCount()).isEqualTo(300);
    assertThat(room.rev()).isEqualTo(new Rev(1));
    JsonObject frame = json(node.announcer.events.getFirst());
    assertThat(frame.getString("kind")).isEqualTo("members");
    assertThat(frame.getInteger("rev_from")).isEqualTo(1);
    assertThat(frame.getInteger("joined")).isEqualTo(300);
    assertThat(frame.getInteger("left")).isZero();
    assertThat(node.announcer.signals).hasSize(300);
    assertWhole(room);
  }

  @Test
  void wrongRequestsForRoomsAreRefused() {
    for (CreateRoom wrong :
        List.of(
            new CreateRoom(ann, RoomType.GROUP, RoomSettings.named(null), List.of()),
            new CreateRoom(ann, RoomType.GROUP, RoomSettings.named(" "), List.of()),
            new CreateRoom(
                ann,
                RoomType.GROUP,
                new RoomSettings("G", "x".repeat(501), null, null, null, null, null),
                List.of()),
            new CreateRoom(
                ann,
                RoomType.GROUP,
                new RoomSettings("G", null, null, null, 1L, null, null),
                List.of(bob)),
            new CreateRoom(
                ann, RoomType.GROUP, RoomSettings.named("G"), Collections.nCopies(1_001, bob)),
            new CreateRoom(ann, RoomType.DIRECT, RoomSettings.named(null), List.of(ann)),
            new CreateRoom(ann, RoomType.DIRECT, RoomSettings.named(null), List.of()),
            new CreateRoom(ann, RoomType.DIRECT, RoomSettings.named(null), List.of(bob, cyd)),
            new CreateRoom(ann, RoomType.DIRECT, RoomSettings.named("D"), List.of(bob)))) {
      assertThat(refusal(node.ask(wrong))).as("%s", wrong).isEqualTo(ErrorCode.INVALID_FIELD);
    }
    assertThat(
            refusal(
                node.ask(
                    new CreateRoom(
                        ann, RoomType.GROUP, RoomSettings.named("G"), List.of(new AccountId(7))))))
        .isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(node.announcer.events).isEmpty();
  }

  @Test
  void aDirectRoomMadeTwiceAtOnceExistsOnce() {
    for (int i = 0; i < 50; i++) {
      AccountId one = account(2 * i);
      AccountId two = account(2 * i + 1);
      var here =
          node.ask(new CreateRoom(one, RoomType.DIRECT, RoomSettings.named(null), List.of(two)));
      var there =
          other.ask(new CreateRoom(two, RoomType.DIRECT, RoomSettings.named(null), List.of(one)));
      Created mine = Futures.get(here);
      Created theirs = Futures.get(there);
      assertThat(mine.room().roomId()).isEqualTo(theirs.room().roomId());
      assertThat(mine.created()).isNotEqualTo(theirs.created());
      assertThat(mine.room().peerId()).isEqualTo(two);
      assertThat(theirs.room().peerId()).isEqualTo(one);
      assertThat(mine.room().role()).isEqualTo(Role.MEMBER);
      assertWhole(mine.room());
    }
  }

  @Test
  void aDirectRoomTakesNobodyInAndLetsNobodyOut() {
    RoomId room = node.create(ann, RoomType.DIRECT, null, List.of(bob)).roomId();
    assertThat(refusal(node.ask(new AddMember(ann, room, cyd, null))))
        .isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refusal(node.ask(new RemoveMember(ann, room, ann)))).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refusal(node.ask(new RemoveMember(ann, room, bob)))).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refusal(node.ask(new Join(cyd, room)))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refusal(node.ask(new GetRoom(cyd, room)))).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void namesOfChannelsAreUniqueAfterFolding() {
    node.create(ann, RoomType.CHANNEL, "News-" + first, List.of());
    assertThat(
            refusal(
                other.ask(
                    new CreateRoom(
                        bob, RoomType.CHANNEL, RoomSettings.named("NEWS-" + first), List.of()))))
        .isEqualTo(ErrorCode.CONFLICT);
    node.create(ann, RoomType.GROUP, "News-" + first, List.of());
  }

  @Test
  void aChannelIsSeenByAllAndItsMembersByItsMembers() {
    RoomId room = node.create(ann, RoomType.CHANNEL, "Open " + first, List.of()).roomId();
    Room seen = other.get(new GetRoom(bob, room)).room();
    assertThat(seen.role()).isNull();
    assertThat(refusal(other.ask(new ListMembers(bob, room, null, 10))))
        .isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(other.get(new Join(bob, room)).room().role()).isEqualTo(Role.MEMBER);
    assertThat(other.get(new Join(bob, room)).room().rev()).isEqualTo(new Rev(2));
    assertThat(other.announcer.events).hasSize(1);
    assertThat(other.get(new ListMembers(bob, room, null, 10)).members())
        .extracting(RoomCommand.Member::accountId)
        .containsExactly(ann, bob);
    assertThat(refusal(node.ask(new GetRoom(ann, new RoomId(5))))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refusal(node.ask(new Join(ann, new RoomId(5))))).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void rolesDecideWhoRemovesWhom() {
    Room room = node.create(ann, RoomType.GROUP, "G", accounts(1, 6));
    RoomId id = room.roomId();
    AccountId admin = account(3);
    AccountId admin2 = account(4);
    AccountId stranger = account(9);
    database.execute(
        "UPDATE room_member SET role = 'admin' WHERE room_id = %d AND account_id IN (%d, %d)"
            .formatted(id.value(), admin.value(), admin2.value()));
    assertThat(refusal(node.ask(new RemoveMember(bob, id, cyd)))).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refusal(node.ask(new AddMember(bob, id, stranger, null))))
        .isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refusal(node.ask(new RemoveMember(stranger, id, cyd))))
        .isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refusal(node.ask(new RemoveMember(admin, id, admin2))))
        .isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refusal(node.ask(new RemoveMember(admin, id, ann)))).isEqualTo(ErrorCode.FORBIDDEN);
    node.get(new RemoveMember(admin, id, stranger)); // who is out already
    node.get(new RemoveMember(admin, id, cyd));
    node.get(new RemoveMember(ann, id, admin2));
    assertThat(requireNonNull(node.get(new AddMember(admin, id, cyd, null)).member()).role())
        .isEqualTo(Role.MEMBER);
    node.get(new AddMember(admin, id, cyd, null));
    assertThat(refusal(node.ask(new AddMember(admin, id, new AccountId(7), null))))
        .isEqualTo(ErrorCode.NOT_FOUND);
    Event left = node.announcer.events.get(6);
    assertThat(left.subject()).isEqualTo(new Event.Departure(cyd, LeaveReason.REMOVED));
    assertThat(json(left).getString("reason")).isEqualTo("removed");
    assertThat(node.announcer.signals)
        .contains(new AccountSignal.Removed(cyd, id, LeaveReason.REMOVED));
    assertThat(node.announcer.events).extracting(e -> e.rev().value()).isSorted();
    assertThat(
            database.count(
                "SELECT count(*) FROM member_span WHERE room_id = %d AND account_id = %d"
                    .formatted(id.value(), cyd.value())))
        .isEqualTo(2);
    assertWhole(room);
  }

  @Test
  void theLastOwnerStaysAndTheLastMemberArchives() {
    Room room = node.create(ann, RoomType.CHANNEL, "Last " + first, List.of(bob));
    RoomId id = room.roomId();
    assertThat(refusal(node.ask(new RemoveMember(ann, id, ann)))).isEqualTo(ErrorCode.CONFLICT);
    node.get(new RemoveMember(bob, id, bob));
    node.get(new RemoveMember(ann, id, ann));
    assertThat(node.announcer.events)
        .extracting(e -> json(e).getString("kind"))
        .containsExactly(
            "member.joined", "member.joined", "member.left", "member.left", "room.archived");
    assertThat(node.get(new GetRoom(bob, id)).room().archivedAt()).isNotNull();
    assertThat(refusal(node.ask(new Join(bob, id)))).isEqualTo(ErrorCode.CONFLICT);
    assertThat(node.get(new FindChannels(bob, "Last " + first, null, 10)).channels()).isEmpty();
    assertWhole(room);
  }

  @Test
  void oneWhoJoinsWhereHistoryIsHiddenSeesWhatFollows() {
    Room room = node.create(ann, RoomType.CHANNEL, "Hidden " + first, List.of());
    long id = room.roomId().value();
    database.execute("UPDATE room SET history = 'since_join' WHERE room_id = " + id);
    database.execute("UPDATE room_position SET last_seq = 7 WHERE room_id = " + id);
    node.get(new Join(bob, room.roomId()));
    assertThat(
            database.count(
                "SELECT seen_from_seq FROM member_span WHERE room_id = %d AND account_id = %d"
                    .formatted(id, bob.value())))
        .isEqualTo(8);
  }

  @Test
  void comingAndGoingAtOnceKeepsRevsDense() {
    Room room = node.create(ann, RoomType.CHANNEL, "Busy " + first, List.of());
    RoomId id = room.roomId();
    List<Future<?>> all = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int i = 1; i <= 20; i++) {
        RoomNode at = i % 2 == 0 ? node : other;
        AccountId who = account(i);
        all.add(at.ask(new Join(who, id)));
        all.add(at.ask(new AddMember(ann, id, account(i + 20), null)));
        all.add(at.ask(new RemoveMember(who, id, who)).otherwiseEmpty());
        all.add(at.ask(new RemoveMember(ann, id, account(i + 20))).otherwiseEmpty());
      }
    }
    all.forEach(Futures::get);
    assertThat(database.count("SELECT last_rev FROM room_position WHERE room_id = " + id.value()))
        .isGreaterThan(40);
    assertWhole(room);
  }

  @Test
  void listsGoOnWhereTheyStopped() {
    for (int i = 0; i < 5; i++) {
      node.create(ann, RoomType.CHANNEL, "100%_" + (char) ('a' + i) + first, List.of());
    }
    node.create(ann, RoomType.CHANNEL, "100xx" + first, List.of());
    var rooms = node.get(new ListRooms(ann, null, 4));
    assertThat(rooms.rooms())
        .hasSize(4)
        .isSortedAccordingTo((a, b) -> a.room().roomId().compareTo(b.room().roomId()));
    var rest = node.get(new ListRooms(ann, rooms.next(), 4));
    assertThat(rest.rooms()).hasSize(2);
    assertThat(rest.next()).isNull();
    var channels = node.get(new FindChannels(bob, "0%_", null, 3));
    assertThat(channels.channels())
        .extracting(c -> c.name().substring(0, 6))
        .containsExactly("100%_a", "100%_b", "100%_c");
    var more = node.get(new FindChannels(bob, "0%_", channels.next(), 3));
    assertThat(more.channels())
        .extracting(c -> c.name().substring(0, 6))
        .containsExactly("100%_d", "100%_e");
    assertThat(more.next()).isNull();
    RoomId group = node.create(ann, RoomType.GROUP, "G", accounts(1, 5)).roomId();
    var members = node.get(new ListMembers(ann, group, null, 3));
    assertThat(node.get(new ListMembers(ann, group, members.next(), 3)).members())
        .extracting(RoomCommand.Member::accountId)
        .containsExactly(account(3), account(4));
  }

  @Test
  void membershipsOfManyAreReadAtOnceTheLatestActiveFirst() {
    List<Room> rooms =
        IntStream.range(0, 4)
            .mapToObj(
                i -> node.create(ann, RoomType.GROUP, "G" + i, i == 0 ? List.of(bob) : List.of()))
            .toList();
    long silent = rooms.get(1).roomId().value();
    database.execute(
        "UPDATE room_member SET joined_at = now() - interval '1 day' WHERE account_id = "
            + ann.value());
    database.execute(
        "UPDATE room_position SET last_seq = 1 WHERE room_id <> "
            + silent
            + " AND room_id IN (SELECT room_id FROM room_member WHERE account_id = "
            + ann.value()
            + ")");
    for (int i : new int[] {0, 2, 3}) {
      database.execute(
          "INSERT INTO message VALUES (%d, 1, 9, 1, %d, now() - %d * interval '1 h', 'c', 'text', 'b')"
              .formatted(rooms.get(i).roomId().value(), ann.value(), i));
    }
    Question ofAnn = new Question(ann, 2, null, null);
    Question ofBob = new Question(bob, 2, null, null);
    Question ofCyd = new Question(cyd, 2, null, null);
    var answers = node.memberships(List.of(ofAnn, ofBob, ofAnn, ofCyd));
    assertThat(answers).hasSize(3);
    assertThat(answers)
        .hasEntrySatisfying(
            ofAnn,
            told -> {
              assertThat(told.memberships().more()).isTrue();
              assertThat(told.memberships().rooms())
                  .extracting(p -> p.room())
                  .containsExactly(rooms.get(0).roomId(), rooms.get(2).roomId());
            })
        .hasEntrySatisfying(
            ofBob,
            told -> {
              assertThat(told.memberships().more()).isFalse();
              assertThat(told.memberships().rooms()).hasSize(1);
            })
        .hasEntrySatisfying(ofCyd, told -> assertThat(told.memberships().rooms()).isEmpty());
    assertThat(node.get(new ReadMemberships(ann, 10)).rooms()).hasSize(4);
  }

  @Test
  void eachHelloGetsAFenceAboveAllFormerOnes() {
    database.execute(
        """
        INSERT INTO device (account_id, device_id, name, platform, family_id)
        VALUES (%d, 'phone', 'Phone', 'test', '%s')
        """
            .formatted(ann.value(), new UUID(1, 1)));
    Authenticated signIn =
        new Authenticated(new Caller(ann, new DeviceId("phone")), new FamilyId(new UUID(1, 1)));
    Set<Fence> former = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      List<Question> questions =
          Stream.of("s1", "s2", "s3")
              .map(session -> new Question(ann, 10, signIn, new SessionId(session)))
              .toList();
      List<Fence> fences =
          node.memberships(questions).values().stream()
              .map(answer -> Objects.requireNonNull(answer.begun()).fence())
              .toList();
      assertThat(fences)
          .hasSize(3)
          .doesNotHaveDuplicates()
          .allMatch(fence -> former.stream().allMatch(fence::isAfter));
      former.addAll(fences);
    }
  }
}
