package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ServerFrame;
import io.confab.socket.SocketEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VersionsTest {
  @Test
  void theDocumentSaysWhatEachLevelOfFeaturesAdded() throws IOException {
    String document = Files.readString(Path.of("docs/versions.md"));
    List<Integer> levels =
        Pattern.compile("(?m)^- \\*\\*Level (\\d+)\\*\\*")
            .matcher(document)
            .results()
            .map(level -> Integer.valueOf(level.group(1)))
            .toList();

    assertThat(levels)
        .containsExactlyElementsOf(
            IntStream.iterate(ServerFrame.FEATURE_LEVEL, level -> level > 0, level -> level - 1)
                .boxed()
                .toList());
    assertThat(document).contains("`" + SocketEndpoint.SUBPROTOCOL + "`, the subprotocol");
  }
}
