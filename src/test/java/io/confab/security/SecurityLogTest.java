package io.confab.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.LogLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SecurityLogTest {
  private final List<SecurityEvent> counted = new ArrayList<>();
  private final SecurityLog log = new SecurityLog(counted::add);
  private final LogLines written = new LogLines("security");

  @AfterEach
  void close() {
    written.close();
  }

  private void fail(String address) {
    log.happened(SecurityEvent.SIGN_IN_FAILED, address, Map.of("handle", "ada"));
  }

  @Test
  void aFloodOfFailuresIsALineAndANumberAMinute() {
    for (int i = 0; i < 10_000; i++) {
      fail("192.0.2.1");
    }
    fail("192.0.2.2");
    log.endMinute();
    fail("192.0.2.1");
    log.endMinute();

    assertThat(written.lines())
        .containsExactly(
            "INFO sign_in_failed address=192.0.2.1 handle=ada",
            "INFO sign_in_failed address=192.0.2.2 handle=ada",
            "INFO sign_in_failed address=192.0.2.1 more=9999",
            "INFO sign_in_failed address=192.0.2.1 handle=ada");
    assertThat(counted).hasSize(10_002);
  }

  @Test
  void whatAdministratorsDoHasALineEach() {
    for (int i = 0; i < 100; i++) {
      log.happened(SecurityEvent.ADMIN_CALL, "192.0.2.1", Map.of("account", i));
    }
    log.endMinute();

    assertThat(written.lines()).hasSize(100);
  }
}
