package io.confab.room;

import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.RoomChange.MemberMuted;
import io.confab.room.Decision.Write;
import io.confab.room.RoomCommand.Member;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Who may keep whom out of a room, or silent in it.
final class ModerationRules {
  private ModerationRules() {}

  /// What a ban brings with it.
  ///
  /// @param member absent when the account is not in the room
  static Decision ban(
      RoomFacts facts, AccountId account, @Nullable String reason, Optional<Member> member) {
    requireToActOn(facts, RoomRight.BAN, member);
    return Decision.NOTHING
        .noted(
            AuditAction.MEMBER_BANNED,
            account,
            reason == null ? null : new JsonObject().put("reason", reason))
        .and(
            member.isPresent()
                ? MembershipRules.end(facts, account, LeaveReason.BANNED)
                : Decision.NOTHING);
  }

  /// What the end of a ban brings with it. Refusal: `not_found`.
  ///
  /// @param was banned
  static Decision unbanned(AccountId account, boolean was) {
    if (!was) {
      throw new Refusal(ErrorCode.NOT_FOUND, "not banned from this room");
    }
    return Decision.NOTHING.noted(AuditAction.MEMBER_UNBANNED, account, null);
  }

  /// A member who is muted until then already stays so.
  static Decision mute(RoomFacts facts, Member member, long until) {
    facts.require(RoomRight.MUTE, member.role());
    AccountId account = member.accountId();
    return Objects.equals(member.mutedUntil(), until)
        ? Decision.NOTHING
        : new Decision(
                List.of(new Write.Mute(account, until)), List.of(new MemberMuted(account, until)))
            .noted(AuditAction.MEMBER_MUTED, account, new JsonObject().put("until", until));
  }

  /// What the end of a mute brings with it. Refusal: `not_found` for an account that is not in the
  /// room and was not muted.
  ///
  /// @param was muted
  static Decision unmuted(AccountId account, boolean was, Optional<Member> member) {
    if (!was && member.isEmpty()) {
      throw MemberStore.noSuchMember();
    }
    return was
        ? new Decision(
                List.of(), member.isPresent() ? List.of(new MemberMuted(account, null)) : List.of())
            .noted(AuditAction.MEMBER_UNMUTED, account, null)
        : Decision.NOTHING;
  }

  static void requireToActOn(RoomFacts facts, RoomRight right, Optional<Member> member) {
    facts.require(right, member.map(Member::role).orElse(Role.MEMBER));
  }
}
