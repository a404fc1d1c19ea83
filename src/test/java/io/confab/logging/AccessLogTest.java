package io.confab.logging;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.LogLines;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AccessLogTest {
  private final AccessLog log = new AccessLog();
  private final LogLines written = new LogLines("access");

  @AfterEach
  void close() {
    written.close();
  }

  private void stranger(int status, String address) {
    log.ended(Exchange.withoutBody("POST", "/v1/tokens", status, address, address));
  }

  private void account(int status) {
    log.ended(
        new Exchange(
            "GET",
            "/v1/rooms/:room_id",
            status,
            523,
            4_700_000,
            "2001:db8:0:0:0:0:0:1",
            "2001:db8::/64",
            Optional.of("0000000000001"),
            status < 400 ? Optional.empty() : Optional.of("rate_limited"),
            Optional.of("r1")));
  }

  @Test
  void aLineSaysWhoAskedForWhatAndWhatBecameOfIt() {
    account(200);
    account(429);

    String end = " bytes=523 ms=4 address=2001:db8:0:0:0:0:0:1 account=0000000000001";
    assertThat(written.lines())
        .containsExactly(
            "INFO request method=GET route=/v1/rooms/:room_id status=200" + end + " request_id=r1",
            "INFO request method=GET route=/v1/rooms/:room_id status=429"
                + end
                + " refused=rate_limited request_id=r1");
  }

  @Test
  void aFloodOfStrangersRefusedIsALineAndANumberAMinute() {
    for (int i = 0; i < 10_000; i++) {
      stranger(401, "192.0.2.1");
    }
    log.endMinute();
    stranger(401, "192.0.2.1");

    assertThat(written.lines())
        .hasSize(3)
        .contains("INFO requests address=192.0.2.1 refused=true more=9999");
  }

  @Test
  void whatAnAccountIsGrantedHasALineEachAndWhatItIsRefusedHas60() {
    for (int i = 0; i < 100; i++) {
      account(200);
      account(429);
    }
    log.endMinute();

    assertThat(written.lines())
        .hasSize(161)
        .last()
        .asString()
        .isEqualTo("INFO requests account=0000000000001 refused=true more=40");
  }

  @Test
  void aMethodThatNobodyKnowsIsNotRepeated() {
    log.ended(Exchange.withoutBody("X".repeat(4_000), AccessLog.NO_ROUTE, 404, "a", "a"));

    assertThat(written.lines())
        .singleElement()
        .asString()
        .startsWith("INFO request method=OTHER route=none status=404");
  }
}
