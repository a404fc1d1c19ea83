package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Role;
import io.confab.protocol.RoomType;
import org.junit.jupiter.api.Test;

class RoomRightTest {
  @Test
  void standingFollowsFromTypeAndRole() {
    assertThat(RoomRelation.of(RoomType.DIRECT, Role.MEMBER, false))
        .isEqualTo(RoomRelation.PARTNER);
    assertThat(RoomRelation.of(RoomType.GROUP, Role.OWNER, false)).isEqualTo(RoomRelation.OWNER);
    assertThat(RoomRelation.of(RoomType.CHANNEL, Role.ADMIN, false)).isEqualTo(RoomRelation.ADMIN);
    assertThat(RoomRelation.of(RoomType.CHANNEL, null, false)).isEqualTo(RoomRelation.VISITOR);
    assertThat(RoomRelation.of(RoomType.GROUP, null, false)).isEqualTo(RoomRelation.STRANGER);
    assertThat(RoomRelation.of(RoomType.DIRECT, null, false)).isEqualTo(RoomRelation.STRANGER);
    assertThat(RoomRelation.of(RoomType.CHANNEL, null, true)).isEqualTo(RoomRelation.BANNED);
    assertThat(RoomRelation.of(RoomType.GROUP, null, true)).isEqualTo(RoomRelation.BANNED);
  }

  @Test
  void namesThatLookAlikeHaveOneKey() {
    assertThat(ChannelName.key("Ｇeneral")).isEqualTo(ChannelName.key("GENERAL"));
    assertThat(ChannelName.key("Straße")).isEqualTo(ChannelName.key("STRASSE"));
    assertThat(ChannelName.key("a")).isNotEqualTo(ChannelName.key("b"));
  }
}
