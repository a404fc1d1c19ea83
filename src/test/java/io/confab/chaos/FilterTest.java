package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the ways lose on purpose, in whatever pieces the bytes come.
@Timeout(30)
class FilterTest {
  private final Drops drops = new Drops();

  private static String through(Filter filter, String text, int piece) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int at = 0; at < bytes.length; at += piece) {
      out.writeBytes(
          filter.through(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + piece))));
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String command(String... parts) {
    StringBuilder text = new StringBuilder("*" + parts.length + "\r\n");
    for (String part : parts) {
      text.append('$').append(part.length()).append("\r\n").append(part).append("\r\n");
    }
    return text.toString();
  }

  private static String frame(String text) {
    return "\u0001" + (char) text.length() + text;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void thePublicationThatIsToBeDroppedGoesToNobody(int piece) {
    drops.arm(2, 1);
    String first = command("PUBLISH", "room:1", "a\r\n$1");
    String other = command("GET", "room:1") + command("PUBLISH", "node:1:beat", "b");
    assertThat(through(new PublishFilter(drops), first + other + first + first + first, piece))
        .isEqualTo(first + other + command("PUBLISH", "------", "a\r\n$1") + first + first);
    assertThat(drops.dropped()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void theAcknowledgementThatIsToBeDroppedIsNeverSeen(int piece) {
    drops.arm(2, 1);
    String head = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
    String ack = frame("{\"type\":\"message.ack\",\"seq\":1}");
    String other = frame("{\"type\":\"pong\"}");
    assertThat(through(new AckFilter(drops), head + ack + other + ack + other + ack, piece))
        .isEqualTo(head + ack + other + other + ack);
    assertThat(drops.dropped()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void answersOfHttpPass(int piece) {
    drops.arm(1, 100);
    String answer = "HTTP/1.1 200 OK\r\n\r\n{\"type\":\"message.ack\"}";
    assertThat(through(new AckFilter(drops), answer, piece)).isEqualTo(answer);
  }
}
