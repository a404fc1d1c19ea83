package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  @Test
  void aBugReachesTheClientWithoutItsText() {
    Refusal refusal = Refusals.of(new IllegalStateException("column password_hash is missing"));
    assertThat(refusal.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(refusal.detail()).isEqualTo("an error of the server");
  }

  @Test
  void aRefusalReachesTheClientAsItIs() {
    Refusal refusal = Refusal.invalidField("body", "is empty");
    assertThat(Refusals.of(refusal)).isSameAs(refusal);
  }
}
