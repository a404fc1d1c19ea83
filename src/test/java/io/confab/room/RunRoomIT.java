package io.confab.room;

import static io.confab.testing.Futures.refusal;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.bus.BusMessage;
import io.confab.feed.AccountSignal;
import io.confab.feed.Event;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.protocol.Secret;
import io.confab.room.RoomCommand.AddMember;
import io.confab.room.RoomCommand.ArchiveRoom;
import io.confab.room.RoomCommand.BanMember;
import io.confab.room.RoomCommand.ChangeRoom;
import io.confab.room.RoomCommand.CreateRoom;
import io.confab.room.RoomCommand.DeleteInvite;
import io.confab.room.RoomCommand.FindChannels;
import io.confab.room.RoomCommand.GetRoom;
import io.confab.room.RoomCommand.Join;
import io.confab.room.RoomCommand.JoinByInvite;
import io.confab.room.RoomCommand.ListBans;
import io.confab.room.RoomCommand.ListInvites;
import io.confab.room.RoomCommand.ListMembers;
import io.confab.room.RoomCommand.MakeInvite;
import io.confab.room.RoomCommand.MuteMember;
import io.confab.room.RoomCommand.ReadAudit;
import io.confab.room.RoomCommand.RemoveMember;
import io.confab.room.RoomCommand.TransferRoom;
import io.confab.room.RoomCommand.Unban;
import io.confab.room.RoomCommand.Unmute;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What owners and admins do with rooms, on a real database.
@ExtendWith(VertxExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class RunRoomIT {
  private static final int ACCOUNTS = 300;
  private static final long LATER = 4_000_000_000_000L;

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

  @BeforeEach
  void start() {
    first += 1_000;
    database.execute(
        "INSERT INTO account SELECT g, 'u' || g, 'U ' || g FROM generate_series(%d, %d) g"
            .formatted(first, first + ACCOUNTS - 1));
    ann = account(0);
    bob = account(1);
    cyd = account(2);
  }

  @AfterEach
  void forget() {
    node.announcer.events.clear();
    node.announcer.signals.clear();
  }

  @AfterAll
  void close() {
    node.close();
    database.close();
  }

  private AccountId account(int i) {
    return new AccountId(first + i);
  }

  private RoomId group(AccountId... others) {
    return node.create(ann, RoomType.GROUP, "G", List.of(others)).roomId();
  }

  private ErrorCode refused(RoomCommand<? extends BusMessage> command) {
    return refusal(node.ask(command));
  }

  private List<String> kinds(RoomId room) {
    return node.announcer.events.stream()
        .filter(e -> e.room().equals(room))
        .map(e -> json(e).getString("kind"))
        .toList();
  }

  private JsonObject last() {
    return json(node.announcer.events.getLast());
  }

  private static JsonObject json(Event event) {
    return new JsonObject(Buffer.buffer(event.frame()));
  }

  private RoomSettings settings(@Nullable Integer slowModeS, @Nullable Long maxMembers) {
    return new RoomSettings(null, null, null, slowModeS, maxMembers, null, null);
  }

  @Test
  void settingsChangeAndWhatStaysIsNotTold() {
    RoomId room = group(bob);
    var all = new RoomSettings("H", "about", HistoryRule.SINCE_JOIN, 30, 2L, null, null);
    assertThat(refused(new ChangeRoom(bob, room, all))).isEqualTo(ErrorCode.FORBIDDEN);
    Room changed = node.get(new ChangeRoom(ann, room, all)).room();
    assertThat(changed.name()).isEqualTo("H");
    assertThat(changed.description()).isEqualTo("about");
    assertThat(changed.history()).isEqualTo(HistoryRule.SINCE_JOIN);
    assertThat(changed.slowModeS()).isEqualTo(30);
    assertThat(changed.maxMembers()).isEqualTo(2);
    assertThat(changed.rev().value()).isEqualTo(3);
    assertThat(node.get(new ChangeRoom(ann, room, all)).room().rev().value()).isEqualTo(3);
    assertThat(refused(new AddMember(ann, room, cyd, null))).isEqualTo(ErrorCode.ROOM_FULL);
    var less = new RoomSettings("H", "", null, 0, 0L, null, null);
    Room back = node.get(new ChangeRoom(ann, room, less)).room();
    assertThat(back.description()).isNull();
    assertThat(back.slowModeS()).isNull();
    assertThat(back.maxMembers()).isNull();
    assertThat(last().getJsonObject("settings"))
        .isEqualTo(
            new JsonObject().put("description", "").put("slow_mode_s", 0).put("max_members", 0));
  }

  @Test
  void aChannelCannotTakeTheNameOfAnother() {
    node.create(ann, RoomType.CHANNEL, "One " + first, List.of());
    RoomId two = node.create(ann, RoomType.CHANNEL, "Two " + first, List.of()).roomId();

    assertThat(refused(new ChangeRoom(ann, two, RoomSettings.named("ONE " + first))))
        .isEqualTo(ErrorCode.CONFLICT);
    node.get(new ChangeRoom(ann, two, RoomSettings.named("TWO " + first)));
    node.get(new ChangeRoom(ann, two, RoomSettings.named("Three " + first)));
    node.create(ann, RoomType.CHANNEL, "Two " + first, List.of());
  }

  @Test
  void onlyOwnersGiveRolesAndEndTheirOwn() {
    RoomId room = group(bob, cyd);
    assertThat(requireNonNull(node.get(new AddMember(ann, room, bob, Role.ADMIN)).member()).role())
        .isEqualTo(Role.ADMIN);
    assertThat(last().getString("kind")).isEqualTo("member.role");
    assertThat(refused(new AddMember(bob, room, cyd, Role.ADMIN))).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused(new AddMember(bob, room, ann, Role.MEMBER))).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused(new AddMember(bob, room, account(5), Role.ADMIN)))
        .isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused(new AddMember(ann, room, ann, Role.ADMIN))).isEqualTo(ErrorCode.CONFLICT);
    node.get(new AddMember(ann, room, cyd, Role.OWNER));
    assertThat(refused(new AddMember(cyd, room, ann, Role.ADMIN))).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused(new RemoveMember(cyd, room, ann))).isEqualTo(ErrorCode.FORBIDDEN);
    node.get(new AddMember(ann, room, ann, Role.MEMBER));
    assertThat(
            requireNonNull(node.get(new AddMember(cyd, room, account(5), Role.ADMIN)).member())
                .role())
        .isEqualTo(Role.ADMIN);
    assertThat(refused(new TransferRoom(ann, room, bob))).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(node.get(new TransferRoom(cyd, room, ann)).member().role()).isEqualTo(Role.OWNER);
    assertThat(node.get(new GetRoom(cyd, room)).room().role()).isEqualTo(Role.ADMIN);
    assertThat(refused(new RemoveMember(ann, room, ann))).isEqualTo(ErrorCode.CONFLICT);
  }

  @Test
  void ofArchivingItIsToldWhereSomebodyMayHaveASeat() {
    RoomId free = group(bob);
    RoomId capped = group(bob);
    var seats = new RoomSettings(null, null, null, null, null, 2, null);
    node.get(new ChangeRoom(ann, capped, seats));
    node.departures.clear();
    node.get(new ArchiveRoom(ann, free));
    node.get(new ArchiveRoom(ann, capped));
    node.get(new ArchiveRoom(ann, capped));
    assertThat(node.departures).containsExactly(capped);
  }

  @Test
  void anArchivedRoomIsReadAndLeftAndNothingElse() {
    RoomId room = group(bob);
    assertThat(refused(new ArchiveRoom(bob, room))).isEqualTo(ErrorCode.FORBIDDEN);
    node.get(new ArchiveRoom(ann, room));
    assertThat(last().getString("kind")).isEqualTo("room.archived");
    assertThat(node.get(new GetRoom(bob, room)).room().archivedAt()).isNotNull();
    assertThat(node.get(new ListMembers(bob, room, null, 9)).members()).hasSize(2);
    node.get(new ArchiveRoom(ann, room));
    assertThat(refused(new AddMember(ann, room, cyd, null))).isEqualTo(ErrorCode.CONFLICT);
    assertThat(refused(new BanMember(ann, room, bob, null))).isEqualTo(ErrorCode.CONFLICT);
    assertThat(refused(new MakeInvite(ann, room, null, null))).isEqualTo(ErrorCode.CONFLICT);
    node.get(new RemoveMember(ann, room, ann));
    node.get(new RemoveMember(bob, room, bob));
    assertThat(kinds(room).subList(2, 5))
        .containsExactly("room.archived", "member.left", "member.left");
    assertThat(refused(new GetRoom(bob, room))).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void ofTheLastTwoOwnersWhoLeaveAtOnceOneStays() {
    RoomId room = group(bob, cyd);
    node.get(new AddMember(ann, room, bob, Role.OWNER));

    var both =
        List.of(
            node.ask(new RemoveMember(ann, room, ann)), node.ask(new RemoveMember(bob, room, bob)));
    both.forEach(answer -> Futures.get(answer.otherwiseEmpty()));

    assertThat(both).filteredOn(answer -> answer.succeeded()).hasSize(1);
    assertThat(node.get(new ListMembers(cyd, room, null, 9)).members())
        .extracting(RoomCommand.Member::role)
        .containsExactlyInAnyOrder(Role.OWNER, Role.MEMBER);
  }

  @Test
  void anInvitationEndsWithTheRightOfItsMaker() {
    RoomId room = group(bob, cyd);
    node.get(new AddMember(ann, room, bob, Role.ADMIN));
    node.get(new AddMember(ann, room, cyd, Role.ADMIN));
    Secret bobs = node.get(new MakeInvite(bob, room, null, null)).code();
    Secret cyds = node.get(new MakeInvite(cyd, room, null, null)).code();
    Secret anns = node.get(new MakeInvite(ann, room, null, null)).code();

    node.get(new AddMember(ann, room, bob, Role.MEMBER));
    assertThat(refused(new JoinByInvite(account(3), bobs))).isEqualTo(ErrorCode.NOT_FOUND);
    node.get(new AddMember(ann, room, bob, Role.ADMIN));
    assertThat(refused(new JoinByInvite(account(3), bobs))).isEqualTo(ErrorCode.NOT_FOUND);
    node.get(new JoinByInvite(account(3), cyds));
    node.get(new RemoveMember(ann, room, cyd));
    assertThat(refused(new JoinByInvite(account(4), cyds))).isEqualTo(ErrorCode.NOT_FOUND);
    node.get(new TransferRoom(ann, room, bob));
    node.get(new JoinByInvite(account(4), anns));
    assertThat(node.get(new ListInvites(bob, room, null, 9)).invites())
        .extracting(RoomCommand.Invite::madeBy)
        .containsExactly(ann);
  }

  @Test
  void theBannedAreOutAndStayOut() {
    RoomId room = node.create(ann, RoomType.CHANNEL, "Ban " + first, List.of(bob)).roomId();
    Secret code = node.get(new MakeInvite(ann, room, null, null)).code();
    assertThat(refused(new BanMember(bob, room, cyd, null))).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused(new BanMember(ann, room, ann, null))).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused(new BanMember(ann, room, new AccountId(9), null)))
        .isEqualTo(ErrorCode.NOT_FOUND);
    node.get(new BanMember(ann, room, bob, "noise"));
    node.get(new BanMember(ann, room, cyd, null));
    assertThat(node.announcer.events.getLast().subject())
        .isEqualTo(new Event.Departure(bob, LeaveReason.BANNED));
    assertThat(refused(new Join(bob, room))).isEqualTo(ErrorCode.BANNED);
    assertThat(refused(new JoinByInvite(cyd, code))).isEqualTo(ErrorCode.BANNED);
    assertThat(refused(new GetRoom(bob, room))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refused(new ListMembers(cyd, room, null, 9))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(node.get(new FindChannels(bob, "Ban " + first, null, 9)).channels()).isEmpty();
    assertThat(refused(new AddMember(ann, room, bob, null))).isEqualTo(ErrorCode.CONFLICT);
    assertThat(node.get(new ListBans(ann, room, null, 9)).bans())
        .extracting(RoomCommand.Ban::accountId, RoomCommand.Ban::reason)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(bob, "noise"),
            org.assertj.core.groups.Tuple.tuple(cyd, null));
    node.get(new Unban(ann, room, bob));
    node.get(new Unban(ann, room, bob));
    node.get(new Join(bob, room));
  }

  @Test
  void aMuteIsNotShakenOffByLeaving() {
    RoomId room = node.create(ann, RoomType.CHANNEL, "Mute " + first, List.of(bob)).roomId();
    assertThat(refused(new MuteMember(ann, room, bob, 1))).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(refused(new MuteMember(bob, room, ann, LATER))).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused(new MuteMember(ann, room, cyd, LATER))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(node.get(new MuteMember(ann, room, bob, LATER)).member().mutedUntil())
        .isEqualTo(LATER);
    assertThat(last().getLong("until")).isEqualTo(LATER);
    node.get(new RemoveMember(bob, room, bob));
    node.get(new Join(bob, room));
    assertThat(node.get(new ListMembers(ann, room, null, 9)).members())
        .extracting(RoomCommand.Member::mutedUntil)
        .containsExactly(null, LATER);
    node.get(new Unmute(ann, room, bob));
    assertThat(last().containsKey("until")).isFalse();
    assertThat(kinds(room))
        .containsExactly(
            "member.joined",
            "member.joined",
            "member.muted",
            "member.left",
            "member.joined",
            "member.muted");
  }

  @Test
  void anInvitationLetsInAsManyAsItSays() {
    RoomId room = group();
    assertThat(refused(new MakeInvite(bob, room, null, null))).isEqualTo(ErrorCode.NOT_FOUND);
    var made = node.get(new MakeInvite(ann, room, Duration.ofHours(1), 1L));
    assertThat(
            database.count(
                "SELECT count(*) FROM room_invite WHERE invite_id = '%1$s' OR code_hash = '%1$s'::bytea"
                    .formatted(made.code().value())))
        .isZero();
    assertThat(refused(new JoinByInvite(bob, new Secret("other")))).isEqualTo(ErrorCode.NOT_FOUND);
    node.get(new JoinByInvite(ann, made.code()));
    assertThat(node.get(new JoinByInvite(bob, made.code())).room().role()).isEqualTo(Role.MEMBER);
    node.get(new JoinByInvite(bob, made.code()));
    assertThat(refused(new JoinByInvite(cyd, made.code()))).isEqualTo(ErrorCode.GONE);
    Secret expired = node.get(new MakeInvite(ann, room, Duration.ofSeconds(1), null)).code();
    database.execute("UPDATE room_invite SET expires_at = now() WHERE max_uses IS NULL");
    assertThat(refused(new JoinByInvite(cyd, expired))).isEqualTo(ErrorCode.GONE);
    assertThat(node.get(new ListInvites(ann, room, null, 9)).invites())
        .extracting(RoomCommand.Invite::uses)
        .containsExactlyInAnyOrder(1L, 0L);
    node.get(new DeleteInvite(ann, room, expired));
    node.get(new DeleteInvite(ann, room, new Secret(made.invite().inviteId())));
    node.get(new DeleteInvite(ann, room, expired));
    assertThat(refused(new JoinByInvite(cyd, expired))).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void ofManyWhoUseTheLastPlaceAtOnceOneGetsIt() {
    RoomId room = group();
    Secret code = node.get(new MakeInvite(ann, room, null, 3L)).code();
    var all =
        IntStream.range(10, 30)
            .mapToObj(i -> node.ask(new JoinByInvite(account(i), code)))
            .toList();
    all.forEach(answer -> Futures.get(answer.otherwiseEmpty()));
    assertThat(all).filteredOn(answer -> answer.succeeded()).hasSize(3);
    assertThat(node.get(new GetRoom(ann, room)).room().memberCount()).isEqualTo(4);
  }

  @Test
  void manyWhoComeWithAnInvitationThatIsOverAreAllToldSo() {
    RoomId room = group();
    Secret code = node.get(new MakeInvite(ann, room, null, 1L)).code();
    node.get(new JoinByInvite(bob, code));
    var all = IntStream.range(0, 40).mapToObj(_ -> node.ask(new JoinByInvite(cyd, code))).toList();
    assertThat(all).extracting(Futures::refusal).containsOnly(ErrorCode.GONE);
  }

  @Test
  void whoBecomesOwnerMaySpeakAgainAndEverybodyIsToldSo() {
    RoomId room = group(bob, cyd);
    node.get(new MuteMember(ann, room, bob, LATER));
    node.get(new MuteMember(ann, room, cyd, LATER));
    node.announcer.events.clear();
    node.get(new TransferRoom(ann, room, bob));
    node.get(new AddMember(bob, room, cyd, Role.OWNER));
    assertThat(kinds(room))
        .containsExactly(
            "member.muted", "member.role", "member.role", "member.muted", "member.role");
    assertThat(node.get(new ListMembers(ann, room, null, 9)).members())
        .allSatisfy(member -> assertThat(member.mutedUntil()).isNull());
  }

  @Test
  void anAccountThatWasRemovedIsNoMemberOfAnythingNew() {
    RoomId room = group();
    database.execute("UPDATE account SET removed_at = now() WHERE account_id = " + bob.value());
    assertThat(refused(new AddMember(ann, room, bob, null))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(
            refused(new CreateRoom(ann, RoomType.GROUP, RoomSettings.named("New"), List.of(bob))))
        .isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void ownersReadWhatWasDone() {
    RoomId room = group(bob, cyd);
    node.get(new AddMember(ann, room, bob, Role.ADMIN));
    node.get(new MuteMember(bob, room, cyd, LATER));
    node.get(new RemoveMember(bob, room, cyd));
    node.get(new ChangeRoom(ann, room, settings(5, null)));
    assertThat(refused(new ReadAudit(bob, room, 0, 9))).isEqualTo(ErrorCode.FORBIDDEN);
    var page = node.get(new ReadAudit(ann, room, 0, 3));
    var rest = node.get(new ReadAudit(ann, room, Long.parseLong(requireNonNull(page.next())), 3));
    var entries = new ArrayList<>(page.entries());
    entries.addAll(rest.entries());
    assertThat(entries)
        .extracting(e -> e.action().wire() + " " + e.accountId())
        .containsExactly(
            "member.role " + bob,
            "member.muted " + cyd,
            "member.removed " + cyd,
            "room.changed null");
    assertThat(entries.get(3).data()).containsKey("settings");
    assertThat(rest.next()).isNull();
  }

  @Test
  void inABigRoomPeopleAreNumbers() {
    List<AccountId> many = IntStream.range(1, 200).mapToObj(this::account).toList();
    RoomId room = node.create(ann, RoomType.GROUP, "Big", many).roomId();
    AccountId late = account(250);
    node.get(new AddMember(ann, room, late, null));
    assertThat(last().getString("kind")).isEqualTo("members");
    assertThat(last().getInteger("joined")).isEqualTo(1);
    assertThat(last().containsKey("account_id")).isFalse();
    assertThat(node.announcer.signals).contains(new AccountSignal.Added(late, room));
    node.get(new RemoveMember(ann, room, late));
    assertThat(last().getInteger("left")).isEqualTo(1);
    assertThat(node.announcer.events.getLast().subject())
        .isEqualTo(new Event.Departure(late, LeaveReason.REMOVED));
    assertThat(node.announcer.signals)
        .contains(new AccountSignal.Removed(late, room, LeaveReason.REMOVED));
    node.get(new RemoveMember(bob, room, bob));
    assertThat(last().getString("kind")).isEqualTo("member.left");
  }

  @Test
  void whenAnAccountIsRemovedItsRoomsGoOn() {
    RoomId withAdmin = group(bob, cyd);
    node.get(new AddMember(ann, withAdmin, cyd, Role.ADMIN));
    RoomId withMembers = group(bob, cyd);
    RoomId alone = group();
    RoomId direct = node.create(ann, RoomType.DIRECT, null, List.of(bob)).roomId();
    RoomId archived = group(bob);
    node.get(new ArchiveRoom(ann, archived));
    node.announcer.events.clear();
    node.endMemberships(ann);
    node.endMemberships(ann);
    assertThat(node.get(new GetRoom(cyd, withAdmin)).room().role()).isEqualTo(Role.OWNER);
    assertThat(kinds(withAdmin)).containsExactly("member.left", "member.role");
    assertThat(node.get(new GetRoom(bob, withMembers)).room().role()).isEqualTo(Role.OWNER);
    assertThat(kinds(alone)).containsExactly("member.left", "room.archived");
    assertThat(kinds(direct)).containsExactly("member.left", "room.archived");
    assertThat(node.get(new GetRoom(bob, direct)).room().archivedAt()).isNotNull();
    assertThat(kinds(archived)).containsExactly("member.left", "member.role");
    assertThat(database.count("SELECT count(*) FROM room_member WHERE account_id = " + ann.value()))
        .isZero();
  }
}
