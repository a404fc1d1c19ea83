package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.presence.PresenceCommand.Less;
import io.confab.presence.PresenceCommand.OnlineCount;
import io.confab.protocol.AccountId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomCountsTest {
  private static final AccountId ANN = new AccountId(1);
  private static final AccountId BOB = new AccountId(9);

  @Test
  void whatIsKeptIsReadAsItWas() {
    OnlineCount count =
        new OnlineCount(10_000, 77, List.of(new Less(ANN, 2), new Less(new AccountId(9), 1)));
    assertThat(RoomCounts.read(RoomCounts.write(count))).isEqualTo(count);
    OnlineCount plain = new OnlineCount(0, 0, List.of());
    assertThat(RoomCounts.read(RoomCounts.write(plain))).isEqualTo(plain);
  }

  @Test
  void whoIsBlockedByMembersIsToldLess() {
    OnlineCount count =
        new OnlineCount(
            300, 77, List.of(new Less(ANN, 2), new Less(new AccountId(5), 3), new Less(BOB, 4)));
    assertThat(count.shownTo(ANN)).isEqualTo(75);
    assertThat(count.shownTo(BOB)).isEqualTo(73);
    assertThat(count.shownTo(new AccountId(2))).isEqualTo(77);
  }

  @Test
  void theMoreMembersTheMoreSeldom() {
    assertThat(RoomCounts.period(3)).isEqualTo(Duration.ofSeconds(1));
    assertThat(RoomCounts.period(10_000)).isEqualTo(Duration.ofSeconds(10));
  }
}
