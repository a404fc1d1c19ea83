package io.confab.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClientIdTest {
  /// The example of RFC 9562, appendix A.6.
  @Test
  void aFreshOneIsAUuidOfVersion7() {
    UUID random = UUID.fromString("ffffffff-ffff-fcc3-98c4-dc0c0c07398f");
    assertThat(ClientId.fresh(0x017F22E279B0L, random))
        .hasToString("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
    UUID fresh = UUID.fromString(ClientId.fresh().value());
    assertThat(fresh.version()).isEqualTo(7);
    assertThat(fresh.variant()).isEqualTo(2);
    assertThat(ClientId.fresh()).isNotEqualTo(ClientId.fresh());
  }
}
