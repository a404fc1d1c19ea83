package io.confab.room;

import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomChange.MemberMuted;
import io.confab.protocol.RoomChange.MemberRole;
import io.confab.room.Decision.Write;
import io.confab.room.RoomCommand.Member;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Who may change the role of whom. A room always has an owner, and only owners end their
/// ownership themselves.
final class RoleRules {
  private RoleRules() {}

  /// Gives a member another role. Refusal: `conflict` when the caller is the last owner.
  ///
  /// @param role absent: it stays
  /// @param heir of the caller, when that is an owner
  static Decision set(RoomFacts facts, Member member, @Nullable Role role, Optional<Member> heir) {
    if (role == null || role == member.role()) {
      return Decision.NOTHING;
    }
    facts.require(RoomRight.CHANGE_ROLES);
    if (member.accountId().equals(facts.caller())) {
      if (heir.isEmpty()) {
        throw lastOwner();
      }
      requireOwner(heir);
    } else if (member.role() == Role.OWNER) {
      facts.require(RoomRight.ACT_ON_OWNER);
    }
    return given(member, role)
        .noted(
            AuditAction.MEMBER_ROLE, member.accountId(), new JsonObject().put("role", role.wire()));
  }

  /// Makes a member the owner, and the caller, who was the owner, an admin. Refusal: `conflict`
  /// when the member is the caller.
  static Decision transfer(RoomFacts facts, Member heir) {
    if (heir.accountId().equals(facts.caller())) {
      throw new Refusal(ErrorCode.CONFLICT, "you are the owner");
    }
    return (heir.role() == Role.OWNER ? Decision.NOTHING : given(heir, Role.OWNER))
        .and(given(facts.caller(), Role.ADMIN, false))
        .noted(AuditAction.OWNER_CHANGED, heir.accountId(), null);
  }

  /// Refuses the last owner.
  static void requireOwner(Optional<Member> heir) {
    if (heir.isPresent() && heir.get().role() != Role.OWNER) {
      throw lastOwner();
    }
  }

  private static Refusal lastOwner() {
    return new Refusal(ErrorCode.CONFLICT, "the last owner stays");
  }

  static Decision given(Member member, Role role) {
    return given(member.accountId(), role, member.mutedUntil() != null);
  }

  /// Owners are not muted, and the log says so.
  static Decision given(AccountId member, Role role, boolean muted) {
    MemberRole now = new MemberRole(member, role);
    List<RoomChange> changes =
        role == Role.OWNER && muted ? List.of(new MemberMuted(member, null), now) : List.of(now);
    return new Decision(List.of(new Write.GiveRole(member, role)), changes);
  }
}
