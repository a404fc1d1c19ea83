package io.confab.room;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.Fault;
import io.confab.account.ChangeCount;
import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Done;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.EntityTag;
import io.confab.protocol.Epoch;
import io.confab.protocol.Fence;
import io.confab.protocol.Marks;
import io.confab.protocol.Message;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.confab.protocol.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What clients ask about rooms and members.
public sealed interface RoomCommand<R extends BusMessage> extends Command<R> {
  Address<RoomCommand<?>> ADDRESS = new Address<>("rooms", NodeRole.ROUTING);

  @Override
  default Address<RoomCommand<?>> address() {
    return ADDRESS;
  }

  @Override
  default Lane lane() {
    return switch (this) {
      case OfRoom<?> ofRoom -> Lane.of(ofRoom.room());
      case CreateRoom(var caller, _, _, _, _, _) -> Lane.of(caller);
      case ListRooms(var caller, _, _) -> Lane.of(caller);
      case ListInvitations(var caller, _, _) -> Lane.of(caller);
      case FindChannels(var caller, _, _, _) -> Lane.of(caller);
      case JoinByInvite(var caller, _) -> Lane.of(caller);
      case ReadMemberships(var caller, _) -> Lane.of(caller);
      case BeginSession(_, var signIn, _) -> Lane.of(signIn.caller().account());
    };
  }

  /// What is asked about one room.
  sealed interface OfRoom<R extends BusMessage> extends RoomCommand<R> {
    AccountId caller();

    RoomId room();
  }

  /// Makes a room with its creator as owner (in a direct room both are members). A direct room
  /// exists once: asked for again, it is answered with `created:false`.
  ///
  /// @param asks whether first members who do not want to be added by the caller are invited
  /// @param id of the room, for a call that is perhaps made again; null: any
  record CreateRoom(
      AccountId caller,
      RoomType type,
      RoomSettings settings,
      List<AccountId> members,
      boolean asks,
      @Nullable RoomId id)
      implements RoomCommand<Created> {

    /// As people make rooms.
    public CreateRoom(
        AccountId caller, RoomType type, RoomSettings settings, List<AccountId> members) {
      this(caller, type, settings, members, true, null);
    }
  }

  /// @param invited who was asked instead of being made a member
  record Created(Room room, boolean created, List<AccountId> invited) implements BusMessage {}

  /// The caller's rooms by id, at most `limit` after `after`, and fewer where the last messages are
  /// long.
  record ListRooms(AccountId caller, @Nullable RoomId after, int limit)
      implements RoomCommand<Rooms> {}

  /// @param next the id to go on after; absent at the end
  record Rooms(List<ListedRoom> rooms, @Nullable RoomId next) implements BusMessage {}

  /// @param unread messages of others above `readSeq`, or from `unreadFrom` on
  /// @param mentions those of them that mention the caller
  /// @param lastMessage that the caller may see, deleted ones too; absent: there is none
  record ListedRoom(
      @JsonUnwrapped Room room,
      Seq readSeq,
      @Nullable Seq unreadFrom,
      long unread,
      long mentions,
      @Nullable Message lastMessage) {

    /// As one sees it who may not read it.
    public ListedRoom withoutMessage() {
      return new ListedRoom(room, readSeq, unreadFrom, unread, mentions, null);
    }
  }

  record GetRoom(AccountId caller, RoomId room) implements OfRoom<RoomView> {}

  /// @param tag of its settings
  record RoomView(Room room, EntityTag tag) implements BusMessage {}

  /// Changes what is given; what stays as it is makes no event.
  ///
  /// @param seen the settings must have one of these tags, else `precondition_failed`; null: any
  record ChangeRoom(
      AccountId caller, RoomId room, RoomSettings settings, @Nullable List<EntityTag> seen)
      implements OfRoom<RoomView> {

    /// Whatever the settings are.
    public ChangeRoom(AccountId caller, RoomId room, RoomSettings settings) {
      this(caller, room, settings, null);
    }
  }

  /// For ever.
  record ArchiveRoom(AccountId caller, RoomId room) implements OfRoom<Done> {}

  /// Channels whose name contains `query`, by name.
  record FindChannels(AccountId caller, String query, @Nullable String after, int limit)
      implements RoomCommand<Channels> {}

  record Channels(List<Channel> channels, @Nullable String next) implements BusMessage {}

  record Channel(RoomId roomId, String name, @Nullable String description, long memberCount) {}

  record ListMembers(AccountId caller, RoomId room, @Nullable AccountId after, int limit)
      implements OfRoom<Members> {}

  record Members(List<Member> members, @Nullable AccountId next) implements BusMessage {}

  /// @param joinedAt milliseconds since 1970
  /// @param mutedUntil milliseconds since 1970; absent when that is over
  record Member(
      AccountId accountId,
      String handle,
      String displayName,
      Role role,
      long joinedAt,
      @Nullable Long mutedUntil) {}

  /// Joins a channel; for a member it changes nothing.
  record Join(AccountId caller, RoomId room) implements OfRoom<RoomView> {}

  /// Adds a member, or changes the role of one.
  ///
  /// @param role absent: a new one is `member`, another one keeps its role
  /// @param asks whether somebody who does not want to be added by the caller, or left the room, is
  ///     invited instead
  record AddMember(
      AccountId caller, RoomId room, AccountId member, @Nullable Role role, boolean asks)
      implements OfRoom<Addition> {

    /// As people add.
    public AddMember(AccountId caller, RoomId room, AccountId member, @Nullable Role role) {
      this(caller, room, member, role, true);
    }
  }

  /// @param member absent: invited instead
  record Addition(@Nullable Member member) implements BusMessage {}

  /// Adds accounts as members, each as [AddMember] adds it without a role, all in one transaction.
  record AddMembers(AccountId caller, RoomId room, List<AccountId> members, boolean asks)
      implements OfRoom<Additions> {}

  /// @param members what became of each, in the order of the command
  /// @param invited who was asked instead of being made a member; absent: nobody
  record Additions(List<Added> members, @Nullable List<AccountId> invited) implements BusMessage {}

  /// @param error why the account was neither added nor asked
  record Added(AccountId accountId, @Nullable Fault error) {}

  record MemberView(Member member) implements BusMessage {}

  /// Removes a member, or leaves when `member` is the caller.
  record RemoveMember(AccountId caller, RoomId room, AccountId member) implements OfRoom<Done> {}

  /// Makes a member an owner; the caller goes on as admin.
  record TransferRoom(AccountId caller, RoomId room, AccountId member)
      implements OfRoom<MemberView> {}

  /// Bans an account, which need not be a member; a member is removed.
  record BanMember(AccountId caller, RoomId room, AccountId member, @Nullable String reason)
      implements OfRoom<BanView> {}

  record BanView(Ban ban) implements BusMessage {}

  /// @param bannedAt milliseconds since 1970
  record Ban(AccountId accountId, AccountId bannedBy, @Nullable String reason, long bannedAt) {}

  record Unban(AccountId caller, RoomId room, AccountId member) implements OfRoom<Done> {}

  record ListBans(AccountId caller, RoomId room, @Nullable AccountId after, int limit)
      implements OfRoom<Bans> {}

  record Bans(List<Ban> bans, @Nullable AccountId next) implements BusMessage {}

  /// @param until milliseconds since 1970
  record MuteMember(AccountId caller, RoomId room, AccountId member, long until)
      implements OfRoom<MemberView> {}

  record Unmute(AccountId caller, RoomId room, AccountId member) implements OfRoom<Done> {}

  /// @param lifetime absent: for ever
  /// @param maxUses absent: as many as like
  record MakeInvite(
      AccountId caller, RoomId room, @Nullable Duration lifetime, @Nullable Long maxUses)
      implements OfRoom<NewInvite> {}

  /// @param code given once: the database keeps its hash
  record NewInvite(Secret code, Invite invite) implements BusMessage {}

  /// @param madeAt milliseconds since 1970, and so `expiresAt`
  record Invite(
      String inviteId,
      AccountId madeBy,
      long madeAt,
      @Nullable Long expiresAt,
      @Nullable Long maxUses,
      long uses) {}

  record ListInvites(AccountId caller, RoomId room, @Nullable String after, int limit)
      implements OfRoom<Invites> {}

  record Invites(List<Invite> invites, @Nullable String next) implements BusMessage {}

  /// @param name the code of an invitation or its `invite_id`
  record DeleteInvite(AccountId caller, RoomId room, Secret name) implements OfRoom<Done> {}

  /// Joins the room of an invitation; for a member it changes nothing.
  record JoinByInvite(AccountId caller, Secret code) implements RoomCommand<RoomView> {}

  /// The open invitations of the caller, by room.
  record ListInvitations(AccountId caller, @Nullable RoomId after, int limit)
      implements RoomCommand<Invitations> {}

  record Invitations(List<Invitation> invitations, @Nullable RoomId next) implements BusMessage {}

  /// Somebody asks the account to join.
  ///
  /// @param ts milliseconds since 1970
  record Invitation(
      RoomId roomId, @Nullable String name, long memberCount, AccountId invitedBy, long ts) {}

  record FindInvitation(AccountId caller, RoomId room) implements OfRoom<FoundInvitation> {}

  /// @param invitation absent: there is none that is open
  record FoundInvitation(@Nullable Invitation invitation) implements BusMessage {}

  /// Joins a room to which the caller is invited; for a member it changes nothing.
  record AcceptInvitation(AccountId caller, RoomId room) implements OfRoom<RoomView> {}

  record DeclineInvitation(AccountId caller, RoomId room) implements OfRoom<Done> {}

  /// What owners and admins did, oldest first.
  record ReadAudit(AccountId caller, RoomId room, long after, int limit) implements OfRoom<Audit> {}

  record Audit(List<AuditEntry> entries, @Nullable String next) implements BusMessage {}

  /// @param accountId to whom
  /// @param ts milliseconds since 1970
  record AuditEntry(
      String entryId,
      AuditAction action,
      AccountId actorId,
      @Nullable AccountId accountId,
      long ts,
      @Nullable Map<String, Object> data) {}

  /// Where the account's rooms stand. At most `limit`, the latest active ones.
  record ReadMemberships(AccountId caller, int limit) implements RoomCommand<Memberships> {}

  /// The same for a session that begins: what `welcome` tells, read together with whether the
  /// sign-in still stands. Refusal: `unauthorized`.
  record BeginSession(SessionId session, Authenticated signIn, int limit)
      implements RoomCommand<SessionBegin> {}

  /// @param changes which the memberships include
  /// @param fence drawn for this session
  /// @param deviceName as it is stored, and so the platform
  record SessionBegin(
      Memberships memberships,
      ChangeCount changes,
      Fence fence,
      String deviceName,
      String devicePlatform)
      implements BusMessage {}

  record Memberships(Epoch epoch, List<Membership> rooms, boolean more) implements BusMessage {}

  /// @param seesAll whether all of the room is there for the account to see
  /// @param receipts whether members see how far others have received and read
  /// @param capped whether the room has a capacity
  /// @param insideOnly whether it is read by those inside only
  record Membership(
      RoomId room,
      Seq seq,
      Rev rev,
      boolean seesAll,
      boolean receipts,
      Marks marks,
      boolean capped,
      boolean insideOnly) {}
}
