package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.RawSocket;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A node with very little direct memory. With too little it does not start. Within its bounds it
/// sheds what takes too much; where even that is more than there is, it ends at once, with one line
/// and the exit code that it has without heap.
@ExtendWith(VertxExtension.class)
@Tag("full")
@Timeout(600)
class DirectMemoryIT {
  private static final int DEVICES = 45;
  private static final int PEOPLE = 4;
  private static final byte[] HALF = half();

  /// All but the end of a frame of 60,000 bytes.
  private static byte[] half() {
    byte[] whole = RawSocket.frame(RawSocket.LAST | RawSocket.TEXT, "x".repeat(60_000));
    return Arrays.copyOf(whole, whole.length - 1_000);
  }

  private static NodeProcess start(Path data, String most) {
    return NodeProcess.start(
        data, 0, Map.of("JDK_JAVA_OPTIONS", "-XX:MaxDirectMemorySize=" + most));
  }

  @Test
  void halfFramesBeyondTheBoundAreShed(Vertx vertx, @TempDir Path data) {
    try (NodeProcess node = start(data, "8m")) {
      Person alice = ApiClient.person(node.port(), "alice", "Alice");
      String room = alice.at(node.port()).channel("calm");
      ChatClient speaker = ChatClient.live(vertx, node.port(), alice.token());

      List<RawSocket> halves = halves(node);

      assertThat(ChatClient.get(speaker.send(room, "id", "still here")).getString("type"))
          .isEqualTo("message.ack");
      await().until(() -> node.meter("confab_sockets_open") < halves.size());
      assertThat(node.meter("confab_direct_memory_used_bytes")).isLessThan(8 << 20);
      assertThat(node.meter("confab_direct_memory_max_bytes")).isEqualTo(8 << 20);
      assertThat(node.output()).doesNotContain("Out of memory");
      halves.forEach(RawSocket::close);
    }
  }

  private static List<RawSocket> halves(NodeProcess node) {
    List<RawSocket> halves = new ArrayList<>();
    for (int i = 0; i < PEOPLE; i++) {
      Person person = ApiClient.person(node.port(), "person" + i, "Person");
      for (int device = 0; device < DEVICES; device++) {
        RawSocket socket =
            RawSocket.hello(node.port(), person.onAnotherDevice(node.port()).token());
        halves.add(socket);
        try {
          socket.send(HALF);
        } catch (UncheckedIOException _) {
          // shed already
        }
      }
    }
    return halves;
  }

  @Test
  void aNodeThatCannotEvenStartSaysSoAtOnce(@TempDir Path data) {
    Jar.Result result =
        Jar.run(
            Map.of("JDK_JAVA_OPTIONS", "-XX:MaxDirectMemorySize=1m"),
            "",
            List.of("serve", "--data-dir", data.toString(), "--port", "0"));

    assertThat(result.exit()).as("%s", result).isEqualTo(1);
    assertThat(result.err())
        .containsOnlyOnce("A node takes at least 2048 KiB of direct memory and may have 1024 KiB.");
  }

  @Test
  void aNodeThatRunsOutOfItEnds(Vertx vertx, @TempDir Path data) {
    try (NodeProcess node = start(data, "3m")) {
      Person alice = ApiClient.person(node.port(), "alice", "Alice");
      String room = alice.at(node.port()).channel("busy");

      Flood.begin(vertx, node.port(), alice.token(), List.of(room), "x".repeat(16_000), 10_000);

      assertThat(node.exit(Duration.ofMinutes(5))).as(node::output).isEqualTo(Optional.of(3));
      assertThat(node.output()).containsOnlyOnce("Out of memory, the node ends (");
    }
  }
}
