package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.limit.Limit;
import io.confab.protocol.ClientFrame.Ping;
import io.confab.testing.TestConfig;
import io.confab.testing.TestLimits;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FramesTest {
  private final Frames frames =
      new Frames(TestLimits.limits(TestConfig.node(Path.of("unused")), System::nanoTime));

  @Test
  void everyFrameHasItsLimit() {
    assertThat(new FrameTable(1, 1).limits())
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("hello", Limit.FRAMES),
                Map.entry("resume", Limit.RESUMES),
                Map.entry("message.send", Limit.SENDS),
                Map.entry("message.edit", Limit.CHANGES),
                Map.entry("message.delete", Limit.CHANGES),
                Map.entry("typing", Limit.TYPING),
                Map.entry("read", Limit.MARKERS),
                Map.entry("delivered", Limit.MARKERS),
                Map.entry("mark_unread", Limit.MARKERS),
                Map.entry("typing.stop", Limit.TYPING),
                Map.entry("presence.watch", Limit.PRESENCE),
                Map.entry("presence.set", Limit.PRESENCE),
                Map.entry("room.enter", Limit.JOINS),
                Map.entry("room.exit", Limit.JOINS),
                Map.entry("envelope.send", Limit.SENDS),
                Map.entry("queue.open", Limit.READS),
                Map.entry("queue.ack", Limit.FRAMES),
                Map.entry("queue.reject", Limit.WRITES),
                Map.entry("token", Limit.FRAMES),
                Map.entry("ping", Limit.FRAMES),
                Map.entry("bye", Limit.FRAMES)));
  }

  private void mount(String type, Limit limit) {
    frames.mount(type, limit, _ -> new Ping(), (_, _) -> Future.succeededFuture());
  }

  @Test
  void aTypeIsMountedOnce() {
    mount("ping", Limit.FRAMES);
    assertThatThrownBy(() -> mount("ping", Limit.FRAMES)).hasMessageContaining("ping");
  }

  @Test
  void aLimitOfAddressesIsNoLimitOfAFrame() {
    assertThatThrownBy(() -> mount("ping", Limit.SIGN_INS)).hasMessageContaining("SIGN_INS");
  }
}
