package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ConnectionState;
import io.confab.screen.PlainScreen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectionNoticeTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final StringWriter out = new StringWriter();

  private ConnectionNotice notice(boolean terminal) {
    return new ConnectionNotice(new PlainScreen(new PrintWriter(out), terminal));
  }

  @Test
  void aFirstConnectionIsNoNews() {
    ConnectionNotice notice = notice(true);
    notice.changed(ConnectionState.CONNECTING, "", Duration.ZERO);
    assertThat(notice.now()).isEmpty();
    notice.changed(ConnectionState.LIVE, "", Duration.ZERO);

    assertThat(notice.now()).isEmpty();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aLostConnectionIsToldOnceAndCountedDownUntilItIsBack() {
    ConnectionNotice notice = notice(true);
    notice.changed(ConnectionState.WAITING, "goodbye\u001b", LONG);
    assertThat(notice.now())
        .hasValueSatisfying(
            now -> assertThat(now).matches("not connected; trying again in \\d+ s"));
    notice.changed(ConnectionState.CONNECTING, "", Duration.ZERO);
    assertThat(notice.now()).contains("connecting …");
    notice.changed(ConnectionState.WAITING, "refused", LONG);
    notice.changed(ConnectionState.LIVE, "", Duration.ZERO);

    assertThat(notice.now()).isEmpty();
    assertThat(out.toString())
        .containsOnlyOnce("* not connected: goodbye<U+1B>; trying again in ")
        .doesNotContain("refused")
        .endsWith("* connected again" + System.lineSeparator());
  }

  @Test
  void withoutATerminalEachTryIsALine() {
    ConnectionNotice notice = notice(false);
    notice.changed(ConnectionState.WAITING, "first", LONG);
    notice.changed(ConnectionState.WAITING, "second", LONG);

    assertThat(out.toString()).contains("first", "second").doesNotContain("\u001b", "\r");
  }

  @Test
  void anEndForGoodSaysWhy() {
    ConnectionNotice notice = notice(false);
    notice.changed(ConnectionState.STOPPED, "displaced", Duration.ZERO);

    assertThat(out.toString()).startsWith("* the connection has ended: displaced");
  }
}
