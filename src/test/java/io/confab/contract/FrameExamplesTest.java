package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The examples of asyncapi.yaml are the samples of the frames, all of them.
@Timeout(60)
class FrameExamplesTest {
  private static final String EVENT = "room.event";

  private final JsonNode asyncapi = new Documents().source(Documents.ASYNCAPI);

  @ParameterizedTest
  @CsvSource({"client,receive", "server,send"})
  void theExamplesAreTheSamples(String sort, String action) {
    Map<String, JsonNode> samples =
        Golden.all(sort).stream()
            .collect(
                Collectors.toMap(
                    FrameExamplesTest::title, Golden::json, (a, _) -> a, TreeMap::new));

    assertThat(examples(action)).isEqualTo(samples);
  }

  /// The frame and the name of its example: the kind of an event, or what stands after `~`.
  private static String title(Golden sample) {
    if (sample.name().startsWith(EVENT + ".")) {
      return EVENT + " " + sample.file().substring(EVENT.length() + 1);
    }
    boolean whole = sample.file().equals(sample.name());
    return sample.name()
        + " "
        + (whole ? "whole" : sample.file().substring(sample.name().length() + 1));
  }

  private Map<String, JsonNode> examples(String action) {
    Map<String, JsonNode> examples = new TreeMap<>();
    for (String message : messages(action)) {
      JsonNode stated = asyncapi.at("/components/messages").get(message);
      for (JsonNode example : stated.get("examples")) {
        String title = stated.get("name").asText() + " " + example.get("name").asText();
        examples.put(title, example.get("payload"));
      }
    }
    return examples;
  }

  /// Keys of the messages that operations of this action take part in; those of a reply go the
  /// other way.
  private Set<String> messages(String action) {
    Set<String> keys = new TreeSet<>();
    for (JsonNode operation : asyncapi.get("operations")) {
      boolean same = operation.get("action").asText().equals(action);
      JsonNode refs = same ? operation.get("messages") : operation.at("/reply/messages");
      for (JsonNode ref : refs) {
        keys.add(ref.get("$ref").asText().replaceFirst(".*/", ""));
      }
    }
    return keys;
  }
}
