package io.confab.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class EventFramesTsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"body\":\"b\",\"ts\":1795353551357,\"epoch\":1}",
        "{\"body\":\"x\\\"ts\\\":7\",\"ts\":1795353551357,\"edited_at\":8,\"epoch\":1}",
        "{\"ts\":1795353551357}"
      })
  void theTimeOfAMessageStandsBehindWhatPeopleWrote(String frame) {
    assertThat(EventFrames.ts(frame.getBytes(StandardCharsets.UTF_8))).hasValue(1795353551357L);
  }

  @Test
  void aFrameWithoutItHasNone() {
    assertThat(EventFrames.ts(new byte[0])).isEmpty();
    assertThat(EventFrames.ts("{\"epoch\":1}".getBytes(StandardCharsets.UTF_8))).isEmpty();
  }
}
