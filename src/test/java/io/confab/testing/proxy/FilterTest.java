package io.confab.testing.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What filters lose and count, in whatever pieces the bytes come.
@Timeout(120)
class FilterTest {
  private final Drops drops = new Drops();

  private interface Direction {
    byte[] through(byte[] bytes) throws IOException;
  }

  private static String through(Direction filter, String text, int piece) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int at = 0; at < bytes.length; at += piece) {
      out.writeBytes(
          filter.through(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + piece))));
    }
    return out.toString(StandardCharsets.ISO_8859_1);
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
  void thePublicationThatIsToBeDroppedGoesToNobody(int piece) throws IOException {
    drops.arm(2, 1);
    String first = command("PUBLISH", "room:1", "a\r\n$1");
    String other = command("GET", "room:1") + command("PUBLISH", "node:1:beat", "b");
    PublishFilter filter =
        new PublishFilter(channel -> channel.startsWith("room:") && drops.take());
    assertThat(through(filter::toServer, first + other + first + first + first, piece))
        .isEqualTo(first + other + command("PUBLISH", "------", "a\r\n$1") + first + first);
    assertThat(drops.dropped()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void theAcknowledgementThatIsToBeDroppedIsNeverSeen(int piece) throws IOException {
    drops.arm(2, 1);
    String head = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
    String ack = frame("{\"type\":\"message.ack\",\"seq\":1,\"status\":\"sent\"}");
    String other = frame("{\"type\":\"message.ack\",\"seq\":1,\"status\":\"read\"}");
    String sealed = frame("{\"type\":\"envelope.ack\",\"seq\":1,\"status\":\"sent\"}");
    assertThat(
            through(
                new AckFilter(drops)::toClient, head + ack + other + sealed + other + ack, piece))
        .isEqualTo(head + ack + other + other + ack);
    assertThat(drops.dropped()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void answersOfHttpPass(int piece) throws IOException {
    drops.arm(1, 100);
    String answer = "HTTP/1.1 200 OK\r\n\r\n{\"type\":\"message.ack\"}";
    assertThat(through(new AckFilter(drops)::toClient, answer, piece)).isEqualTo(answer);
  }

  /// What a client tells PostgreSQL: a request for TLS (80877103), its start-up, and messages.
  private static String told(String... messages) {
    StringBuilder text = new StringBuilder("\0\0\0\10\4\322\26\57");
    text.append("\0\0\0\20\0\3\0\0user\0me\0");
    for (String message : messages) {
      text.append(message.charAt(0)).append("\0\0\0").append((char) (message.length() + 3));
      text.append(message, 1, message.length());
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void whatPostgresExecutesIsCounted(int piece) throws IOException {
    Statements statements = new Statements();
    String text = told("Pone\0SELECT 1\0", "B\0one\0\0", "E\0\0\0\0\0", "QSELECT 2\0", "S");
    assertThat(through(statements.get()::toServer, text, piece)).isEqualTo(text);
    assertThat(statements.count()).isEqualTo(2);
    assertThat(statements.count("SELECT 1")).isEqualTo(1);
    assertThat(statements.asked()).as("but what a node asks regularly").isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000})
  void theAnswerToTheCommitThatIsMeantIsLostWithItsConnection(int piece) throws IOException {
    LostCommits commits = new LostCommits();
    Filter sweeping = commits.get();
    Filter filter = commits.get();
    through(filter::toServer, told("QBEGIN\0", "Pone\0UPDATE a\0", "B\0one\0\0", "E"), piece);
    commits.loseNext("UPDATE [ab]");
    through(sweeping::toServer, told("QBEGIN\0", "QDELETE FROM a\0", "QCOMMIT\0"), piece);
    assertThat(through(sweeping::toClient, "done", piece)).isEqualTo("done");
    assertThat(through(filter::toClient, "begun", piece)).isEqualTo("begun");
    through(filter::toServer, after("QCOMMIT\0"), piece);
    assertThatIOException().isThrownBy(() -> through(filter::toClient, "done", piece));
    assertThat(commits.lost()).isEqualTo(1);
    through(sweeping::toServer, after("QUPDATE a\0"), piece);
    assertThat(through(sweeping::toClient, "done", piece)).isEqualTo("done");
  }

  @Test
  void theAnswerToAStatementThatIsItsOwnTransactionIsLostToo() throws IOException {
    LostCommits commits = new LostCommits();
    Filter filter = commits.get();
    String prepared = told("Pone\0SELECT move()\0", "Ptwo\0SELECT 2\0");
    through(filter::toServer, prepared, prepared.length());
    commits.loseNext("move");
    String other = after("B\0two\0\0", "E");
    through(filter::toServer, other, other.length());
    assertThat(through(filter::toClient, "done", 4)).isEqualTo("done");
    String meant = after("B\0one\0\0", "E");
    through(filter::toServer, meant, meant.length());
    assertThatIOException().isThrownBy(() -> through(filter::toClient, "done", 4));
  }

  /// Messages after those that a connection begins with.
  private static String after(String... messages) {
    return told(messages).substring(told().length());
  }
}
