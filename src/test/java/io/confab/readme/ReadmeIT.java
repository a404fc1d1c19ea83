package io.confab.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.confab.testing.TempFolders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A newcomer follows the README in a fresh clone, from top to bottom, on a small machine; and
/// then once more.
@Tag("full")
@Tag("packages")
@Tag("alone")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ReadmeIT {
  /// The terminal that lives through all sections; each of the others lives for one.
  private static final String SERVER = "server";

  private static final List<Integer> PORTS = List.of(8080, 8081, 8082, 8090, 8091, 8092);

  private final Path folder = TempFolders.create("confab-readme");
  private final Path clone = folder.resolve("confab");
  private final Map<String, Terminal> terminals = new HashMap<>();

  @BeforeEach
  void clonesIt() throws IOException, InterruptedException {
    for (int port : PORTS) {
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        // free
      } catch (IOException taken) {
        fail("the README uses port " + port + ", which another program has", taken);
      }
    }
    var git = new ProcessBuilder("git", "clone", "-q", Path.of("").toAbsolutePath().toString());
    git.command().add(clone.toString());
    assertThat(git.inheritIO().start().waitFor()).isZero();
  }

  @AfterEach
  void endsAll() {
    terminals.values().forEach(Terminal::close);
    TempFolders.delete(folder);
  }

  @Test
  void everyBlockDoesWhatTheReadmeShowsAlsoTheSecondTime() throws IOException {
    List<Block> blocks = Block.read(Files.readAllLines(clone.resolve("README.md")));
    follow(blocks);
    follow(blocks);
  }

  private void follow(List<Block> blocks) {
    String section = "";
    List<String> ended = List.of();
    for (Block block : blocks) {
      if (!block.section().equals(section)) {
        section = block.section();
        closeAllButTheServer();
      }
      try {
        ended = follow(block, ended);
      } catch (AssertionError wrong) {
        throw new AssertionError("README.md, line " + block.line(), wrong);
      }
    }
    closeAllButTheServer();
  }

  /// @param ended what the last commands that ended have printed
  /// @return the same after this block
  private List<String> follow(Block block, List<String> ended) {
    Terminal terminal = terminals.computeIfAbsent(block.terminal(), _ -> open());
    boolean commandsEnd = block.terminal().isEmpty();
    Shown shown = new Shown(block.lines(), block.inAnyOrder());
    switch (block.kind()) {
      case PASTED -> {
        if (commandsEnd) {
          return terminal.run(block.lines());
        }
        terminal.start(block.lines());
      }
      case TYPED -> terminal.type(block.lines());
      case SHOWN -> {
        if (commandsEnd) {
          assertThat(shown.isAllOf(ended))
              .as("shown:\n%s\nprinted:\n%s", shown, String.join("\n", ended))
              .isTrue();
        } else {
          terminal.waitFor(shown);
        }
      }
    }
    return ended;
  }

  /// Sign-ins are kept in the folder of this test, not in the home of whoever runs it.
  private Terminal open() {
    return new Terminal(
        clone,
        Map.of(
            "XDG_CONFIG_HOME",
            folder.resolve("config").toString(),
            "XDG_DATA_HOME",
            folder.resolve("data").toString(),
            "JDK_JAVA_OPTIONS",
            "-Xmx256m"));
  }

  private void closeAllButTheServer() {
    terminals.forEach(
        (name, terminal) -> {
          if (!name.equals(SERVER)) {
            terminal.close();
          }
        });
    terminals.keySet().retainAll(List.of(SERVER));
  }
}
