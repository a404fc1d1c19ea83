package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Role;
import io.confab.protocol.RoomType;
import org.junit.jupiter.api.Test;

class RoomRightTest {
  @Test
  void standingFollowsFromTypeAndRole() {
    assertThat(Standing.of(RoomType.DIRECT, Role.MEMBER, false)).isEqualTo(Standing.PARTNER);
    assertThat(Standing.of(RoomType.GROUP, Role.OWNER, false)).isEqualTo(Standing.OWNER);
    assertThat(Standing.of(RoomType.CHANNEL, Role.ADMIN, false)).isEqualTo(Standing.ADMIN);
    assertThat(Standing.of(RoomType.CHANNEL, null, false)).isEqualTo(Standing.VISITOR);
    assertThat(Standing.of(RoomType.GROUP, null, false)).isEqualTo(Standing.STRANGER);
    assertThat(Standing.of(RoomType.DIRECT, null, false)).isEqualTo(Standing.STRANGER);
    assertThat(Standing.of(RoomType.CHANNEL, null, true)).isEqualTo(Standing.BANNED);
    assertThat(Standing.of(RoomType.GROUP, null, true)).isEqualTo(Standing.BANNED);
  }

  @Test
  void namesThatLookAlikeHaveOneKey() {
    assertThat(ChannelName.key("Ｇeneral")).isEqualTo(ChannelName.key("GENERAL"));
    assertThat(ChannelName.key("Straße")).isEqualTo(ChannelName.key("STRASSE"));
    assertThat(ChannelName.key("a")).isNotEqualTo(ChannelName.key("b"));
  }
}
