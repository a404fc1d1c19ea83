package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ConfabApi;
import io.confab.client.CredentialStore;
import io.confab.client.Credentials;
import io.confab.protocol.AccountId;
import io.confab.protocol.CloseCode;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Secret;
import io.confab.screen.PlainScreen;
import io.confab.screen.Screen;
import io.confab.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What becomes of lines when nothing is acknowledged.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class ChatIT {
  /// While this line is read, a hundred sends are not settled and the next one waits, or will.
  private static final int FULL = 117;

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final AccountId ANN = AccountId.parse("0000000000ann");

  private final Vertx vertx;
  private final MuteServer server;
  private final CredentialStore store = CredentialStore.memory();
  private final StringWriter out = new StringWriter();
  private ConfabApi api;

  ChatIT(Vertx vertx) {
    this.vertx = vertx;
    this.server = new MuteServer(vertx);
  }

  @BeforeEach
  void signIn() {
    Futures.get(
        store.save(
            new Credentials(ANN, new DeviceId("d"), new Secret("access"), new Secret("refresh"))));
    api = new ConfabApi(vertx, List.of(server.address()), store);
  }

  @AfterEach
  void close() {
    api.close();
  }

  /// Numbered lines.
  private static final class Lines extends BufferedReader {
    private final int most;
    private final Runnable whenFull;
    private int read;

    Lines(int most, Runnable whenFull) {
      super(Reader.nullReader());
      this.most = most;
      this.whenFull = whenFull;
    }

    @Override
    public @Nullable String readLine() {
      read++;
      if (read == FULL) {
        whenFull.run();
      }
      return read <= most ? "line " + read : null;
    }
  }

  private boolean chat(BufferedReader input, Duration patience) throws Exception {
    Screen screen = new PlainScreen(new PrintWriter(out), false);
    return new Chat(
            new Self(api, ANN, SealedStart.none()),
            screen,
            Keyboard.of(input),
            patience,
            new Known())
        .run("lobby");
  }

  @Test
  void aConnectionThatHasEndedEndsItAlsoWhileALineWaitsForItsPlace() throws Exception {
    Lines endless = new Lines(Integer.MAX_VALUE, () -> server.hangUp(CloseCode.DISPLACED.code()));

    assertThat(chat(endless, LONG)).isFalse();

    assertThat(out.toString()).contains("* the connection has ended: ").contains("✗ ");
  }

  @Test
  void noLineIsLostInSilenceWhenTheConnectionHasEnded() throws Exception {
    Lines endless = new Lines(Integer.MAX_VALUE, () -> server.hangUp(CloseCode.DISPLACED.code()));

    assertThat(chat(endless, LONG)).isFalse();

    assertThat(out.toString().lines().filter(line -> line.startsWith("✗ ")))
        .extracting(line -> line.substring(line.lastIndexOf("line ")))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, endless.read).mapToObj(n -> "line " + n).toList());
  }

  @Test
  void aLostConnectionIsToldWhileALineWaitsForItsPlaceAndAllIsSentThen() throws Exception {
    Lines lines =
        new Lines(
            200,
            () -> {
              server.acknowledge();
              server.hangUp(CloseCode.GOING_AWAY.code());
            });

    assertThat(chat(lines, LONG)).isTrue();

    assertThat(out.toString())
        .contains("* not connected: ", "* connected again")
        .doesNotContain("✗");
  }

  private boolean pipe(String lines, Duration patience) throws Exception {
    Screen screen = new PlainScreen(new PrintWriter(out), false);
    var input = new BufferedReader(new StringReader(lines));
    return new Pipe(api, ANN, screen, input, patience).run("lobby");
  }

  @Test
  void aPipedLineIsTriedAgainAsTheSameMessageAndNoSocketIsOpened() throws Exception {
    vertx.setPeriodic(
        10,
        _ -> {
          if (server.sent().size() >= 2) {
            server.acknowledge();
          }
        });

    assertThat(pipe("one\ntwo\n", LONG)).isTrue();

    assertThat(server.sent()).hasSizeGreaterThanOrEqualTo(4);
    assertThat(server.sent().stream().distinct()).hasSize(2);
    assertThat(server.socketsOpened()).isZero();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aPipedLineThatIsRefusedIsNamed() throws Exception {
    assertThat(pipe("/nonsense \u001b[2J\n", LONG)).isFalse();

    assertThat(out.toString().lines())
        .containsExactly("✗ /nonsense is not known; /help lists what is: /nonsense <U+1B>[2J");
  }

  @Test
  void aPipedLineWaitsNoLongerThanAskedAndEndsTheRest() throws Exception {
    assertThat(pipe("one\ntwo\n", Duration.ofSeconds(3))).isFalse();

    assertThat(out.toString().lines()).containsExactly("✗ unavailable: busy", "✗ not sent: one");
    assertThat(server.sent().stream().distinct()).hasSize(1);
  }
}
