package io.confab.room;

import io.confab.bus.BusMessage;
import io.confab.postgres.Page;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.room.MembershipStore.Answer;
import io.confab.room.MembershipStore.Begun;
import io.confab.room.MembershipStore.Question;
import io.confab.room.RoomCommand.AcceptInvitation;
import io.confab.room.RoomCommand.AddMember;
import io.confab.room.RoomCommand.AddMembers;
import io.confab.room.RoomCommand.ArchiveRoom;
import io.confab.room.RoomCommand.Audit;
import io.confab.room.RoomCommand.BanMember;
import io.confab.room.RoomCommand.Bans;
import io.confab.room.RoomCommand.BeginSession;
import io.confab.room.RoomCommand.ChangeRoom;
import io.confab.room.RoomCommand.Channels;
import io.confab.room.RoomCommand.CreateRoom;
import io.confab.room.RoomCommand.DeclineInvitation;
import io.confab.room.RoomCommand.DeleteInvite;
import io.confab.room.RoomCommand.FindChannels;
import io.confab.room.RoomCommand.FindInvitation;
import io.confab.room.RoomCommand.FoundInvitation;
import io.confab.room.RoomCommand.GetRoom;
import io.confab.room.RoomCommand.Invitations;
import io.confab.room.RoomCommand.Invites;
import io.confab.room.RoomCommand.Join;
import io.confab.room.RoomCommand.JoinByInvite;
import io.confab.room.RoomCommand.ListBans;
import io.confab.room.RoomCommand.ListInvitations;
import io.confab.room.RoomCommand.ListInvites;
import io.confab.room.RoomCommand.ListMembers;
import io.confab.room.RoomCommand.ListRooms;
import io.confab.room.RoomCommand.MakeInvite;
import io.confab.room.RoomCommand.Members;
import io.confab.room.RoomCommand.MuteMember;
import io.confab.room.RoomCommand.OfRoom;
import io.confab.room.RoomCommand.ReadAudit;
import io.confab.room.RoomCommand.ReadMemberships;
import io.confab.room.RoomCommand.RemoveMember;
import io.confab.room.RoomCommand.Rooms;
import io.confab.room.RoomCommand.SessionBegin;
import io.confab.room.RoomCommand.TransferRoom;
import io.confab.room.RoomCommand.Unban;
import io.confab.room.RoomCommand.Unmute;
import io.vertx.core.Future;
import java.util.function.Function;

/// Answers every command about rooms and members. May be used from any event loop.
public final class RoomHandler {
  private final RoomStores stores;
  private final RoomCreation creation;
  private final RoomActions actions;
  private final Function<Question, Future<Answer>> memberships;

  /// @param memberships many may ask at once, so this should gather them
  ///     ([MembershipStore#read])
  public RoomHandler(
      RoomStores stores,
      RoomCreation creation,
      RoomActions actions,
      Function<Question, Future<Answer>> memberships) {
    this.stores = stores;
    this.creation = creation;
    this.actions = actions;
    this.memberships = memberships;
  }

  /// The answer that the command's type names, or a refusal.
  public Future<? extends BusMessage> handle(RoomCommand<?> command) {
    try {
      return answer(command);
    } catch (Refusal refusal) {
      return Future.failedFuture(refusal);
    }
  }

  private Future<? extends BusMessage> answer(RoomCommand<?> command) {
    return switch (command) {
      case CreateRoom create -> creation.create(create);
      case ListRooms list -> list(list);
      case GetRoom get -> require(RoomRight.SEE_ROOM, get).map(SeenRoom::view);
      case FindChannels find -> find(find);
      case ListMembers list -> list(list);
      case Join join -> actions.join(join);
      case JoinByInvite(var caller, var code) ->
          actions.joinByInvite(caller, InviteCode.said(code));
      case AddMember add -> actions.add(add);
      case AddMembers add -> actions.add(add);
      case RemoveMember remove -> actions.done(RoomCalls.remove(remove));
      case TransferRoom transfer -> actions.transfer(transfer);
      case ChangeRoom change -> actions.change(change);
      case ArchiveRoom archive -> actions.done(RoomCalls.archive(archive));
      case BanMember ban -> actions.ban(ban);
      case Unban unban -> actions.done(RoomCalls.unban(unban));
      case MuteMember mute -> actions.mute(mute);
      case Unmute unmute -> actions.done(RoomCalls.unmute(unmute));
      case ListBans list -> list(list);
      case MakeInvite make -> actions.makeInvite(make);
      case DeleteInvite delete -> actions.done(RoomCalls.deleteInvite(delete));
      case ListInvites list -> list(list);
      case ListInvitations list -> list(list);
      case FindInvitation(var caller, var room) ->
          stores
              .invitations()
              .find(caller, room)
              .map(found -> new FoundInvitation(found.orElse(null)));
      case AcceptInvitation accept -> actions.accept(accept);
      case DeclineInvitation decline -> actions.done(RoomCalls.decline(decline));
      case ReadAudit read -> read(read);
      case ReadMemberships(var caller, int limit) ->
          memberships.apply(new Question(caller, limit, null, null)).map(Answer::memberships);
      case BeginSession(var session, var signIn, int limit) ->
          memberships
              .apply(new Question(signIn.caller().account(), limit, signIn, session))
              .map(RoomHandler::begin);
    };
  }

  private static SessionBegin begin(Answer answer) {
    Begun begun = answer.begun();
    if (begun == null) {
      throw new Refusal(ErrorCode.UNAUTHORIZED, "the device is signed out");
    }
    return new SessionBegin(
        answer.memberships(),
        begun.changes(),
        begun.fence(),
        begun.deviceName(),
        begun.devicePlatform());
  }

  /// The room, if the caller has the right.
  private Future<SeenRoom> require(RoomRight right, OfRoom<?> command) {
    return stores
        .rooms()
        .find(command.caller(), command.room())
        .map(
            found -> {
              SeenRoom seen = found.orElseThrow(Refusal::noSuchRoom);
              seen.require(right);
              return seen;
            });
  }

  private Future<Bans> list(ListBans command) {
    return require(RoomRight.SEE_BANS, command)
        .compose(_ -> stores.bans().list(command.room(), command.after(), command.limit() + 1))
        .map(found -> Page.of(found, command.limit(), RoomCommand.Ban::accountId))
        .map(page -> new Bans(page.items(), page.next()));
  }

  private Future<Invites> list(ListInvites command) {
    return require(RoomRight.SEE_INVITES, command)
        .compose(_ -> stores.invites().list(command.room(), command.after(), command.limit() + 1))
        .map(found -> Page.of(found, command.limit(), RoomCommand.Invite::inviteId))
        .map(page -> new Invites(page.items(), page.next()));
  }

  private Future<Invitations> list(ListInvitations command) {
    return stores
        .invitations()
        .list(command.caller(), command.after(), command.limit() + 1)
        .map(found -> Page.of(found, command.limit(), RoomCommand.Invitation::roomId))
        .map(page -> new Invitations(page.items(), page.next()));
  }

  private Future<Audit> read(ReadAudit command) {
    return require(RoomRight.READ_AUDIT, command)
        .compose(_ -> stores.audit().list(command.room(), command.after(), command.limit() + 1))
        .map(found -> Page.of(found, command.limit(), RoomCommand.AuditEntry::entryId))
        .map(page -> new Audit(page.items(), page.next()));
  }

  private Future<Rooms> list(ListRooms command) {
    return stores
        .rooms()
        .list(command.caller(), command.after(), command.limit())
        .map(page -> new Rooms(page.items(), page.next()));
  }

  private Future<Channels> find(FindChannels command) {
    String after = command.after();
    return stores
        .rooms()
        .findChannels(
            command.caller(),
            ChannelName.key(command.query()),
            after == null ? "" : after,
            command.limit() + 1)
        .map(found -> Page.of(found, command.limit(), RoomStore.FoundChannel::key))
        .map(
            page ->
                new Channels(
                    page.items().stream().map(RoomStore.FoundChannel::channel).toList(),
                    page.next()));
  }

  private Future<Members> list(ListMembers command) {
    return require(RoomRight.SEE_MEMBERS, command)
        .compose(_ -> stores.members().list(command.room(), command.after(), command.limit() + 1))
        .map(found -> Page.of(found, command.limit(), RoomCommand.Member::accountId))
        .map(page -> new Members(page.items(), page.next()));
  }
}
