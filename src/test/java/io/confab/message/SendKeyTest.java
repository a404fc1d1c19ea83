package io.confab.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ClientId;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendKeyTest {
  private static final String ORDERED = "0198c0de-1234-7abc-9def-0123456789ab";

  private static UUID key(String clientId) {
    return SendKey.of(Chat.draft(1, 1, clientId, "hello")).clientKey();
  }

  @Test
  void aTimeOrderedUuidIsItsOwnKey() {
    assertThat(key(ORDERED)).isEqualTo(UUID.fromString(ORDERED));
    String fresh = ClientId.fresh().value();
    assertThat(key(fresh)).isEqualTo(UUID.fromString(fresh));
  }

  @Test
  void soItIsForEdits() {
    assertThat(SendKey.of(Chat.edit(1, 1, 1, ORDERED, "now")).clientKey())
        .isEqualTo(UUID.fromString(ORDERED));
  }

  /// Stored for ever: as it was when the first one was stored.
  @Test
  void anythingElseIsADigest() {
    assertThat(key("m-1")).isEqualTo(UUID.fromString("a461b472-cb41-a9ec-3dee-5c90cf8e4a78"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0198C0DE-1234-7ABC-9DEF-0123456789AB",
        "0198c0de-1234-4abc-9def-0123456789ab",
        "0198c0de-1234-7abc-1def-0123456789ab",
        "0198c0de-12347-abc-9def-0123456789ab",
        "0198c0de-1234-7abc-9def-0123456789ag",
        "0198c0de12347abc9def0123456789ab",
        "000198c0de-1234-7abc-9def-123456789ab",
        "------------------------------------",
      })
  void anotherWayOfWritingIsAnotherId(String id) {
    assertThat(key(id)).isNotEqualTo(UUID.fromString(ORDERED)).isEqualTo(key(id));
    assertThat(key(id).toString()).isNotEqualTo(id);
  }
}
