package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

/// Somebody at a terminal, with files of their own.
final class SealedPerson {
  private final String handle;
  private final Path folder;
  private final Terminal terminal;
  private VirtualTerminal seat = new VirtualTerminal(110, 50);

  private SealedPerson(Path folder, String handle, int port) {
    this.handle = handle;
    this.folder = folder;
    this.terminal = new Terminal(folder, "http://127.0.0.1:" + port);
  }

  /// Somebody new.
  static SealedPerson of(Path folder, String handle, int port) {
    SealedPerson made = new SealedPerson(folder, handle, port);
    assertThat(made.terminal.run("", "room", "list", "--as", handle, "--sign-up"))
        .returns(0, Result::exit);
    return made;
  }

  /// Somebody at a machine on which nothing of them is kept.
  static SealedPerson again(Path folder, String handle, int port) {
    return new SealedPerson(folder, handle, port);
  }

  /// Opens a window of which the screen is empty.
  Open chat(String room) {
    return chat(room, "terminal-1");
  }

  /// Opens it as a device of this name.
  Open chat(String room, String device) {
    seat = new VirtualTerminal(110, 50);
    Open chat =
        terminal.openIn(
            seat, "chat", "--as", handle, "--room", room, "--no-color", "--device", device);
    sees("› ▏");
    return chat;
  }

  Result pipes(String lines, String room) {
    return terminal.run(lines, "chat", "--as", handle, "--room", room);
  }

  void types(String line) {
    seat.type(line + "\r");
  }

  String screen() {
    return seat.screen();
  }

  /// The screen has no characters beyond 16 bits, such as the lock.
  void sees(String... parts) {
    List<String> shown = Stream.of(parts).map(part -> part.replace("🔒", "")).toList();
    await().untilAsserted(() -> assertThat(seat.screen()).contains(shown));
  }

  /// The keys of a device are at the server.
  void isReady(String room) {
    await()
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(() -> assertThat(pipes("/devices\n", room).out()).contains("has keys"));
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
