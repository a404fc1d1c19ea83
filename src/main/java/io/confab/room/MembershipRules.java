package io.confab.room;

import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomChange.MemberJoined;
import io.confab.protocol.RoomChange.MemberLeft;
import io.confab.protocol.RoomChange.Members;
import io.confab.protocol.RoomType;
import io.confab.room.Decision.Write;
import io.confab.room.RoomCommand.Member;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// Who may come into a room, leave it or be removed from it, and what becomes of it. In a big room
/// the log counts who comes and goes; it names only the one whom a change is about.
final class MembershipRules {
  private MembershipRules() {}

  /// An account that is in the room already changes nothing. Refusal: `room_full`.
  static Decision join(RoomFacts facts) {
    return facts.room().role() == null ? begin(facts, facts.caller()) : Decision.NOTHING;
  }

  /// Adds an account that is not in the room. Refusals: `conflict` for one that is banned,
  /// `room_full`.
  static Decision add(RoomFacts facts, AccountId member, Role role, boolean banned) {
    if (role != Role.MEMBER) {
      facts.require(RoomRight.CHANGE_ROLES);
    }
    if (banned) {
      throw new Refusal(ErrorCode.CONFLICT, "the account is banned from this room");
    }
    Decision begun = begin(facts, member);
    return (role == Role.MEMBER ? begun : begun.and(RoleRules.given(member, role, false)))
        .noted(AuditAction.MEMBER_ADDED, member, new JsonObject().put("role", role.wire()));
  }

  private static Decision begin(RoomFacts facts, AccountId member) {
    Long most = facts.room().maxMembers();
    long count = facts.room().memberCount() + 1;
    if (most != null && count > most) {
      throw new Refusal(ErrorCode.ROOM_FULL, "the room has no place left");
    }
    MemberJoined joined = new MemberJoined(member);
    return decision(
        new Write.Begin(member),
        NewRoom.isBig(count) ? new Members(facts.next(), 1, 0, joined) : joined);
  }

  /// The last one to leave archives the room. A room always has an owner, unless nobody is left in
  /// it. Refusal: `conflict`.
  ///
  /// @param heir of the caller, when that is an owner
  static Decision leave(RoomFacts facts, Optional<Member> heir) {
    RoleRules.requireOwner(heir);
    Decision left = end(facts, facts.caller(), LeaveReason.LEFT);
    return facts.room().memberCount() == 1 ? left.and(SettingRules.ARCHIVED) : left;
  }

  static Decision kick(RoomFacts facts, Member member) {
    facts.require(RoomRight.KICK, member.role());
    return end(facts, member.accountId(), LeaveReason.REMOVED)
        .noted(AuditAction.MEMBER_REMOVED, member.accountId(), null);
  }

  /// The caller's account is removed. Its heir becomes owner; a room in which it was alone and a
  /// direct one, of which the other keeps what was said, are archived.
  ///
  /// @param heir of the caller, when that is an owner
  static Decision accountRemoved(RoomFacts facts, Optional<Member> heir) {
    if (facts.room().role() == null) {
      return Decision.NOTHING;
    }
    Decision ended = end(facts, facts.caller(), LeaveReason.ACCOUNT_REMOVED);
    if (facts.room().type() == RoomType.DIRECT || facts.room().memberCount() == 1) {
      return facts.position().archived() ? ended : ended.and(SettingRules.ARCHIVED);
    }
    return heir.filter(member -> member.role() != Role.OWNER)
        .map(member -> ended.and(RoleRules.given(member, Role.OWNER)))
        .orElse(ended);
  }

  static Decision end(RoomFacts facts, AccountId member, LeaveReason reason) {
    MemberLeft left = new MemberLeft(member, reason);
    return decision(
        new Write.End(member),
        NewRoom.isBig(facts.room().memberCount()) ? new Members(facts.next(), 0, 1, left) : left);
  }

  private static Decision decision(Write write, RoomChange change) {
    return new Decision(List.of(write), List.of(change));
  }
}
