package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ConnectionState;
import io.confab.screen.Screen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ConnectionNoticeTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final StringWriter out = new StringWriter();

  private ConnectionNotice notice(boolean terminal) {
    return new ConnectionNotice(new Screen(new PrintWriter(out), terminal));
  }

  @Test
  void aFirstConnectionIsNoNews() {
    ConnectionNotice notice = notice(true);
    notice.changed(ConnectionState.CONNECTING, "", Duration.ZERO);
    notice.tick();
    notice.changed(ConnectionState.LIVE, "", Duration.ZERO);
    notice.tick();

    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aLostConnectionIsToldOnceAndCountedDownUntilItIsBack() {
    ConnectionNotice notice = notice(true);
    notice.changed(ConnectionState.WAITING, "goodbye\u001b", LONG);
    notice.tick();
    notice.changed(ConnectionState.CONNECTING, "", Duration.ZERO);
    notice.tick();
    notice.changed(ConnectionState.WAITING, "refused", LONG);
    notice.changed(ConnectionState.LIVE, "", Duration.ZERO);

    assertThat(out.toString())
        .containsOnlyOnce("* not connected: goodbye<U+1B>; trying again in ")
        .contains("\r\u001b[K* not connected; trying again in ", "* connecting …")
        .doesNotContain("refused")
        .endsWith("\r\u001b[K* connected again" + System.lineSeparator());
  }

  @Test
  void withoutATerminalEachTryIsALineAndNothingIsWrittenOver() {
    ConnectionNotice notice = notice(false);
    notice.changed(ConnectionState.WAITING, "first", LONG);
    notice.tick();
    notice.changed(ConnectionState.WAITING, "second", LONG);
    notice.tick();

    assertThat(out.toString()).contains("first", "second").doesNotContain("\u001b", "\r");
  }

  @Test
  void anEndForGoodSaysWhy() {
    ConnectionNotice notice = notice(false);
    notice.changed(ConnectionState.STOPPED, "displaced", Duration.ZERO);

    assertThat(out.toString()).startsWith("* the connection has ended: displaced");
  }
}
