package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.RoomType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoomRightTest {
  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          right,         OWNER, ADMIN, MEMBER, PARTNER, VISITOR, STRANGER
          SEE_ROOM,      yes,   yes,   yes,    yes,     yes,     not_found
          READ,          yes,   yes,   yes,    yes,     forbidden, not_found
          SEE_MEMBERS,   yes,   yes,   yes,    yes,     forbidden, not_found
          JOIN,          yes,   yes,   yes,    forbidden, yes,   not_found
          LEAVE,         yes,   yes,   yes,    forbidden, forbidden, not_found
          ADD_MEMBER,    yes,   yes,   forbidden, forbidden, forbidden, not_found
          REMOVE_MEMBER, yes,   yes,   forbidden, forbidden, forbidden, not_found
          REMOVE_ADMIN,  yes,   forbidden, forbidden, forbidden, forbidden, not_found
          REMOVE_OWNER,  forbidden, forbidden, forbidden, forbidden, forbidden, not_found
          EDIT_OWN_MESSAGE,   yes,  yes,  yes,  yes,  forbidden, not_found
          EDIT_ANY_MESSAGE,   forbidden, forbidden, forbidden, forbidden, forbidden, not_found
          DELETE_OWN_MESSAGE, yes,  yes,  yes,  yes,  forbidden, not_found
          DELETE_ANY_MESSAGE, yes,  yes,  forbidden, forbidden, forbidden, not_found
          """)
  void eachRightIsOfTheseStandings(
      RoomRight right,
      String owner,
      String admin,
      String member,
      String partner,
      String visitor,
      String stranger) {
    assertThat(verdict(right, Standing.OWNER)).isEqualTo(owner);
    assertThat(verdict(right, Standing.ADMIN)).isEqualTo(admin);
    assertThat(verdict(right, Standing.MEMBER)).isEqualTo(member);
    assertThat(verdict(right, Standing.PARTNER)).isEqualTo(partner);
    assertThat(verdict(right, Standing.VISITOR)).isEqualTo(visitor);
    assertThat(verdict(right, Standing.STRANGER)).isEqualTo(stranger);
  }

  private static String verdict(RoomRight right, Standing standing) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> right.demand(standing));
    return refusal == null ? "yes" : refusal.code().wire();
  }

  @Test
  void theTableHasARowForEachRight() {
    assertThat(RoomRight.values()).hasSize(13);
    assertThat(Standing.values()).hasSize(6);
  }

  @Test
  void standingFollowsFromTypeAndRole() {
    assertThat(Standing.of(RoomType.DIRECT, Role.MEMBER)).isEqualTo(Standing.PARTNER);
    assertThat(Standing.of(RoomType.GROUP, Role.OWNER)).isEqualTo(Standing.OWNER);
    assertThat(Standing.of(RoomType.CHANNEL, Role.ADMIN)).isEqualTo(Standing.ADMIN);
    assertThat(Standing.of(RoomType.CHANNEL, null)).isEqualTo(Standing.VISITOR);
    assertThat(Standing.of(RoomType.GROUP, null)).isEqualTo(Standing.STRANGER);
    assertThat(Standing.of(RoomType.DIRECT, null)).isEqualTo(Standing.STRANGER);
  }

  @Test
  void namesThatLookAlikeHaveOneKey() {
    assertThat(ChannelName.key("Ｇeneral")).isEqualTo(ChannelName.key("GENERAL"));
    assertThat(ChannelName.key("Straße")).isEqualTo(ChannelName.key("STRASSE"));
    assertThat(ChannelName.key("a")).isNotEqualTo(ChannelName.key("b"));
  }
}
