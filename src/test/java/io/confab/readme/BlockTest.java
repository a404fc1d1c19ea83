package io.confab.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BlockTest {
  private static List<Block> read(String document) {
    return Block.read(document.lines().toList());
  }

  @Test
  void theWordsAfterAFenceSayWhereABlockBelongs() {
    assertThat(
            read(
                """
                ## Run
                ```sh server
                scripts/run
                ```
                ```text server
                …
                ```
                ## Talk
                ```typed bob
                hello
                ```
                ```json in any order
                {"a":1,
                 "b":2}
                ```
                ```sh by-hand
                scripts/test
                ```
                """))
        .containsExactly(
            new Block(Block.Kind.PASTED, "Run", "server", false, List.of("scripts/run"), 2),
            new Block(Block.Kind.SHOWN, "Run", "server", false, List.of("…"), 5),
            new Block(Block.Kind.TYPED, "Talk", "bob", false, List.of("hello"), 9),
            new Block(Block.Kind.SHOWN, "Talk", "", true, List.of("{\"a\":1,\"b\":2}"), 12));
  }

  @Test
  void aBlockThatSaysNotWhatItIsIsRefused() {
    assertThatThrownBy(() -> read("```\nscripts/run\n```")).hasMessageContaining("line 1");
  }

  @Test
  void whatOnlyLooksLikeCodeInTheReadmeHasNoCommands() throws IOException {
    assertThat(Files.readAllLines(Path.of("README.md")))
        .noneMatch(line -> line.matches(" {4}(scripts/|curl |export [A-Z]|npx |[A-Z_]+=).*"));
  }

  @Test
  void everySectionOfTheReadmeStandsByItself() throws IOException {
    List<Block> blocks = Block.read(Files.readAllLines(Path.of("README.md")));

    assertThat(blocks).extracting(Block::section).contains("Run", "Talk over HTTP");
    for (String name : List.of("api", "json", "key", "CONFAB_PASSWORD")) {
      assertThat(blocks)
          .filteredOn(block -> block.kind() == Block.Kind.PASTED)
          .filteredOn(block -> text(block).contains("$" + name))
          .allMatch(block -> text(block).contains(name + "="));
    }
  }

  private static String text(Block block) {
    return String.join("\n", block.lines());
  }
}
