package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.sealed.Trust;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class SealedStatusTest {
  @Test
  void aRoomIsVerifiedWhenAllOthersAre() {
    assertThat(SealedStatus.text(List.of(Trust.VERIFIED, Trust.VERIFIED)))
        .isEqualTo("sealed, verified");
    assertThat(SealedStatus.text(List.of(Trust.VERIFIED, Trust.PINNED)))
        .isEqualTo("sealed, not verified");
    assertThat(SealedStatus.text(List.of())).isEqualTo("sealed, not verified");
    assertThat(SealedStatus.text(List.of(Trust.VERIFIED, Trust.CHANGED, Trust.NONE)))
        .isEqualTo("sealed, KEYS CHANGED");
  }
}
