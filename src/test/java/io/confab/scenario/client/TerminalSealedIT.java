package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.Nodes;
import io.confab.scenario.Terminal;
import io.confab.scenario.Terminal.Open;
import io.confab.scenario.Terminal.Result;
import io.confab.testing.VirtualTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Sealed rooms in the terminal, against a node.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TerminalSealedIT {
  private static final Duration LONG = Duration.ofSeconds(60);

  private Nodes nodes;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  /// Somebody at a terminal, with files of their own.
  private final class Person {
    private final String handle;
    private final Path folder;
    private final Terminal terminal;
    private VirtualTerminal seat = new VirtualTerminal(110, 50);

    Person(Path files, String handle) {
      this.handle = handle;
      this.folder = files.resolve(handle);
      this.terminal = new Terminal(folder, "http://127.0.0.1:" + nodes.port(0));
      assertThat(terminal.run("", "room", "list", "--as", handle, "--sign-up"))
          .returns(0, Result::exit);
    }

    /// Opens a window of which the screen is empty.
    Open chat(String room) {
      seat = new VirtualTerminal(110, 50);
      Open chat = terminal.openIn(seat, "chat", "--as", handle, "--room", room, "--no-color");
      sees("› ▏");
      return chat;
    }

    void types(String line) {
      seat.type(line + "\r");
    }

    /// The screen has no characters beyond 16 bits, such as the lock.
    void sees(String... parts) {
      List<String> shown = Stream.of(parts).map(part -> part.replace("🔒", "")).toList();
      await().atMost(LONG).untilAsserted(() -> assertThat(seat.screen()).contains(shown));
    }

    /// The keys of the device are at the server.
    void isReady(String room) {
      await()
          .atMost(LONG)
          .pollInterval(Duration.ofMillis(500))
          .untilAsserted(
              () ->
                  assertThat(
                          terminal.run("/devices\n", "chat", "--as", handle, "--room", room).out())
                      .contains("has keys"));
    }

    void quits(Open chat) {
      types("/quit");
      assertThat(chat.exit()).isZero();
    }

    List<String> emojis() {
      return seat.screen()
          .lines()
          .filter(line -> line.startsWith("    "))
          .map(String::strip)
          .toList();
    }

    /// Ends the sign-in without the server, as a person does who removes the file.
    void forgetsSignIn() throws IOException {
      try (Stream<Path> files = Files.list(folder.resolve("confab").resolve("sign-ins"))) {
        for (Path file : files.filter(name -> name.toString().endsWith(".json")).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  void twoPeopleSealTheirRoomAndFindWhatTheySaidAfterARestart(@TempDir Path files)
      throws IOException {
    Person anna = new Person(files, "anna");
    Person bert = new Person(files, "bert");
    Open annas = anna.chat("@bert");
    anna.types("in the open");
    anna.sees("#1 ✓ anna: in the open");
    Open berts = bert.chat("@anna");
    bert.sees("#1 anna: in the open");
    anna.isReady("@bert");
    bert.isReady("@anna");

    anna.types("/seal");
    anna.sees("* It is for ever", "not post-quantum", "* /seal yes seals it.");
    anna.types("/seal yes");
    anna.sees("anna sealed this room, for ever", "sealed, not verified");
    bert.sees("anna sealed this room, for ever", "sealed, not verified");
    anna.types("the first secret");
    anna.sees("#2 🔒 ✓ anna: the first secret");
    bert.sees("#2 🔒 anna: the first secret");
    bert.types("understood");
    anna.sees("#3 🔒 bert: understood", "#2 ✓✓");
    anna.types("/edit 2 other");
    anna.sees("✗ there are no changes in sealed rooms yet");
    anna.types("/expire 3600");
    bert.sees("* what is said from here on goes 1 h after it was read");

    bert.quits(berts);
    anna.types("said while nobody looked");
    anna.sees("🔒 ✓ anna: said while nobody looked");
    bert.forgetsSignIn();
    Open again = bert.chat("@anna");
    bert.sees(
        "#1 anna: in the open",
        "#2 🔒 anna: the first secret",
        "🔒 ✓✓ bert: understood",
        "🔒 anna: said while nobody looked");
    bert.types("/search SECRET first");
    bert.sees("@anna #2 anna: the first secret");
    bert.types("/history 1");
    bert.sees("* there is nothing older");

    Result piped = anna.terminal.run("plain\n", "chat", "--as", "anna", "--room", "@bert");
    assertThat(piped).returns(1, Result::exit);
    assertThat(piped.err()).contains("sealed rooms need a window");
    bert.quits(again);
    anna.quits(annas);
  }

  @Test
  void twoPeopleVerifyEachOther(@TempDir Path files) {
    Person cleo = new Person(files, "cleo");
    Person dora = new Person(files, "dora");
    Open cleos = cleo.chat("@dora");
    Open doras = dora.chat("@cleo");
    cleo.isReady("@dora");
    dora.isReady("@cleo");
    cleo.types("/seal yes");
    dora.sees("cleo sealed this room");

    cleo.types("/verify dora");
    cleo.sees("/match dora if dora sees the same");
    dora.sees("/match cleo if cleo sees the same");
    assertThat(cleo.emojis()).hasSize(7).isEqualTo(dora.emojis());
    cleo.types("/match dora");
    dora.types("/match cleo");

    cleo.sees("* dora is verified", "sealed, verified");
    dora.sees("* cleo is verified", "sealed, verified");
    dora.quits(doras);
    cleo.quits(cleos);
  }
}
