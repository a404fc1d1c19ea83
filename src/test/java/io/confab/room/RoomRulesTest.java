package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomChange.Archived;
import io.confab.protocol.RoomChange.Changed;
import io.confab.protocol.RoomChange.MemberJoined;
import io.confab.protocol.RoomChange.MemberLeft;
import io.confab.protocol.RoomChange.MemberMuted;
import io.confab.protocol.RoomChange.MemberRole;
import io.confab.protocol.RoomChange.Members;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.protocol.Seq;
import io.confab.room.Decision.Write;
import io.confab.room.RoomChangeStore.Position;
import io.confab.room.RoomCommand.Member;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is decided about rooms, without one: who may do what to whom, and what becomes of it.
class RoomRulesTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final AccountId CALLER = new AccountId(1);
  private static final AccountId OTHER = new AccountId(2);
  private static final Rev NEXT = new Rev(11);

  private static RoomFacts facts(@Nullable Role caller, long members) {
    return facts(RoomType.GROUP, caller, members, null, false);
  }

  private static RoomFacts facts(
      RoomType type, @Nullable Role caller, long members, @Nullable Long most, boolean archived) {
    Room room =
        new Room(
            ROOM,
            type,
            "name",
            null,
            null,
            caller,
            HistoryRule.ALL,
            null,
            most,
            members,
            archived ? 1L : null,
            new Epoch(1),
            new Seq(5),
            new Rev(10));
    return new RoomFacts(
        new Position(ROOM, new Seq(5), new Rev(10), archived), new SeenRoom(room, false), CALLER);
  }

  private static Member member(AccountId account, Role role, @Nullable Long mutedUntil) {
    return new Member(account, "handle", "Name", role, 0, mutedUntil);
  }

  private static Member other(Role role) {
    return member(OTHER, role, null);
  }

  /// `archives`, the code of a refusal, or `goes` for one who goes and no more.
  private static String leaving(Supplier<Decision> decision) {
    try {
      return decision.get().changes().contains(new Archived()) ? "archives" : "goes";
    } catch (Refusal refusal) {
      return refusal.code().wire();
    }
  }

  private static Optional<Member> heir(String role) {
    return role.equals("-") ? Optional.empty() : Optional.of(other(Role.valueOf(role)));
  }

  @ParameterizedTest
  @CsvSource({
    // members already, most, becomes
    "1,    ,  named",
    "199,  ,  named",
    "200,  ,  counted",
    "9,    10, named",
    "10,   10, room_full",
    "300,  300, room_full",
  })
  void whoJoinsIsNamedOrCountedOrFindsNoPlace(long members, @Nullable Long most, String becomes) {
    RoomFacts facts = facts(RoomType.CHANNEL, null, members, most, false);
    if (becomes.equals("room_full")) {
      assertThatExceptionOfType(Refusal.class)
          .isThrownBy(() -> MembershipRules.join(facts))
          .matches(refusal -> refusal.code().wire().equals("room_full"));
    } else {
      RoomChange joined = new MemberJoined(CALLER);
      assertThat(MembershipRules.join(facts))
          .isEqualTo(
              new Decision(
                  List.of(new Write.Begin(CALLER)),
                  List.of(becomes.equals("named") ? joined : new Members(NEXT, 1, 0, joined))));
    }
  }

  @Test
  void whoIsInTheRoomAlreadyChangesNothing() {
    assertThat(MembershipRules.join(facts(Role.MEMBER, 300)).isNothing()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    // caller, as, banned, refused
    "OWNER, OWNER,  false, -",
    "OWNER, MEMBER, false, -",
    "ADMIN, MEMBER, false, -",
    "ADMIN, ADMIN,  false, forbidden",
    "ADMIN, ADMIN,  true,  forbidden",
    "OWNER, MEMBER, true,  conflict",
  })
  void onlyOwnersAddMembersWithARole(Role caller, Role as, boolean banned, String refused) {
    assertRefused(refused, () -> MembershipRules.add(facts(caller, 2), OTHER, as, banned));
  }

  @Test
  void anAddedAdminJoinsAndThenIsOne() {
    Decision added = MembershipRules.add(facts(Role.OWNER, 2), OTHER, Role.ADMIN, false);

    assertThat(added.changes())
        .containsExactly(new MemberJoined(OTHER), new MemberRole(OTHER, Role.ADMIN));
    assertThat(added.writes())
        .containsExactly(
            new Write.Begin(OTHER),
            new Write.GiveRole(OTHER, Role.ADMIN),
            new Write.Note(AuditAction.MEMBER_ADDED, OTHER, new JsonObject().put("role", "admin")));
  }

  @ParameterizedTest
  @CsvSource({
    // role, members, heir, becomes
    "MEMBER, 2, -,      goes",
    "ADMIN,  2, -,      goes",
    "OWNER,  1, -,      archives",
    "MEMBER, 1, -,      archives",
    "OWNER,  2, OWNER,  goes",
    "OWNER,  2, ADMIN,  conflict",
    "OWNER,  2, MEMBER, conflict",
  })
  void theLastOwnerStaysUnlessAlone(Role role, long members, String heir, String becomes) {
    assertThat(leaving(() -> MembershipRules.leave(facts(role, members), heir(heir))))
        .isEqualTo(becomes);
  }

  @ParameterizedTest
  @CsvSource({
    // type, role, members, archived, heir, becomes
    "GROUP,  MEMBER, 2, false, -,      goes",
    "GROUP,  OWNER,  1, false, -,      archives",
    "GROUP,  OWNER,  1, true,  -,      goes",
    "DIRECT, MEMBER, 2, false, -,      archives",
    "DIRECT, MEMBER, 1, true,  -,      goes",
    "GROUP,  OWNER,  2, false, OWNER,  goes",
  })
  void theRoomOfARemovedAccountGoesOnOrIsArchived(
      RoomType type, Role role, long members, boolean archived, String heir, String becomes) {
    RoomFacts facts = facts(type, role, members, null, archived);

    assertThat(leaving(() -> MembershipRules.accountRemoved(facts, heir(heir)))).isEqualTo(becomes);
  }

  @Test
  void theHeirOfARemovedAccountBecomesOwnerAndMaySpeak() {
    Decision removed =
        MembershipRules.accountRemoved(
            facts(Role.OWNER, 300), Optional.of(member(OTHER, Role.MEMBER, 99L)));

    assertThat(removed.changes())
        .containsExactly(
            new Members(NEXT, 0, 1, new MemberLeft(CALLER, LeaveReason.ACCOUNT_REMOVED)),
            new MemberMuted(OTHER, null),
            new MemberRole(OTHER, Role.OWNER));
    assertThat(removed.writes())
        .containsExactly(new Write.End(CALLER), new Write.GiveRole(OTHER, Role.OWNER));
    assertThat(MembershipRules.accountRemoved(facts(null, 3), Optional.empty()).isNothing())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    // caller, on, refused
    "OWNER, MEMBER, -",
    "OWNER, ADMIN,  -",
    "OWNER, OWNER,  forbidden",
    "ADMIN, MEMBER, -",
    "ADMIN, ADMIN,  forbidden",
    "ADMIN, OWNER,  forbidden",
  })
  void onWhomOneMayActIsAQuestionOfBothRoles(Role caller, Role on, String refused) {
    RoomFacts facts = facts(caller, 3);
    Member member = other(on);

    assertRefused(refused, () -> MembershipRules.kick(facts, member));
    assertRefused(refused, () -> ModerationRules.mute(facts, member, 9));
    assertRefused(refused, () -> ModerationRules.ban(facts, OTHER, null, Optional.of(member)));
  }

  @Test
  void aBanEndsAMembershipIfThereIsOne() {
    RoomFacts facts = facts(Role.ADMIN, 3);

    assertThat(ModerationRules.ban(facts, OTHER, "why", Optional.of(other(Role.MEMBER))))
        .isEqualTo(
            new Decision(
                List.of(
                    new Write.Note(
                        AuditAction.MEMBER_BANNED, OTHER, new JsonObject().put("reason", "why")),
                    new Write.End(OTHER)),
                List.of(new MemberLeft(OTHER, LeaveReason.BANNED))));
    assertThat(ModerationRules.ban(facts, OTHER, null, Optional.empty()).changes()).isEmpty();
    assertRefused("not_found", () -> ModerationRules.unbanned(OTHER, false));
  }

  @ParameterizedTest
  @CsvSource({
    // was muted, in the room, becomes
    "true,  true,  told",
    "true,  false, noted",
    "false, true,  nothing",
    "false, false, not_found",
  })
  void theEndOfAMuteIsToldWhereSomebodyIs(boolean was, boolean inside, String becomes) {
    Optional<Member> member = inside ? Optional.of(other(Role.MEMBER)) : Optional.empty();
    if (becomes.equals("not_found")) {
      assertRefused(becomes, () -> ModerationRules.unmuted(OTHER, was, member));
    } else {
      Decision decision = ModerationRules.unmuted(OTHER, was, member);
      assertThat(decision.isNothing()).isEqualTo(becomes.equals("nothing"));
      assertThat(decision.changes().contains(new MemberMuted(OTHER, null)))
          .isEqualTo(becomes.equals("told"));
    }
  }

  @Test
  void aMuteUntilThenAlreadyChangesNothing() {
    assertThat(
            ModerationRules.mute(facts(Role.ADMIN, 3), member(OTHER, Role.MEMBER, 9L), 9)
                .isNothing())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    // caller, whose, has, gets, heir, refused
    "OWNER, OTHER,  MEMBER, ADMIN,  -,      -",
    "OWNER, OTHER,  ADMIN,  OWNER,  -,      -",
    "OWNER, OTHER,  OWNER,  MEMBER, -,      forbidden",
    "OWNER, CALLER, OWNER,  MEMBER, OWNER,  -",
    "OWNER, CALLER, OWNER,  MEMBER, ADMIN,  conflict",
    "OWNER, CALLER, OWNER,  MEMBER, -,      conflict",
    "ADMIN, OTHER,  MEMBER, ADMIN,  -,      forbidden",
    "ADMIN, OTHER,  MEMBER, MEMBER, -,      -",
    "ADMIN, CALLER, ADMIN,  MEMBER, -,      forbidden",
  })
  void ownersChangeRolesButNotTheOwnershipOfOthers(
      Role caller, String whose, Role has, Role gets, String heir, String refused) {
    Member member = member(whose.equals("OTHER") ? OTHER : CALLER, has, null);

    assertRefused(refused, () -> RoleRules.set(facts(caller, 3), member, gets, heir(heir)));
  }

  @Test
  void aTransferMakesAnOwnerAndAnAdmin() {
    RoomFacts facts = facts(Role.OWNER, 3);

    assertThat(RoleRules.transfer(facts, member(OTHER, Role.MEMBER, 99L)).changes())
        .containsExactly(
            new MemberMuted(OTHER, null),
            new MemberRole(OTHER, Role.OWNER),
            new MemberRole(CALLER, Role.ADMIN));
    assertThat(RoleRules.transfer(facts, other(Role.OWNER)).changes())
        .containsExactly(new MemberRole(CALLER, Role.ADMIN));
    assertRefused("conflict", () -> RoleRules.transfer(facts, member(CALLER, Role.OWNER, null)));
  }

  @Test
  void onlyWhatDiffersOfSettingsIsChanged() {
    Room room = facts(Role.OWNER, 3).room();

    assertThat(SettingRules.change(room, new RoomSettings("name", "", HistoryRule.ALL, 0, 0L)))
        .isEqualTo(Decision.NOTHING);
    assertThat(SettingRules.change(room, new RoomSettings("name", "d", null, null, 5L)).changes())
        .containsExactly(new Changed(new RoomSettings(null, "d", null, null, 5L)));
  }

  private static void assertRefused(String code, Supplier<Decision> decision) {
    String refused;
    try {
      assertThat(decision.get()).isNotNull();
      refused = "-";
    } catch (Refusal refusal) {
      refused = refusal.code().wire();
    }
    assertThat(refused).isEqualTo(code);
  }
}
