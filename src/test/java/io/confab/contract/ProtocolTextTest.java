package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The tables of docs/protocol.md agree with asyncapi.yaml and the configuration.
@Timeout(60)
class ProtocolTextTest {
  private static final Pattern FRAME = Pattern.compile("`([a-z_.]+) \\{([^}]*)}`");

  private final ProtocolText text = new ProtocolText();

  @Test
  void theTableOfClientsFramesIsThatOfTheDocument() {
    assertThat(frames("What clients send"))
        .isEqualTo(stated(Contract.FRAMES.client(), "type", "id"));
  }

  @Test
  void theTableOfServersFramesIsThatOfTheDocument() {
    Map<String, Shape> shapes = new TreeMap<>(Contract.FRAMES.server());
    shapes.keySet().removeIf(name -> name.startsWith("room.event "));
    Map<String, Set<String>> stated = stated(shapes, "type");
    stated.put("room.event", new TreeSet<>(Set.of("room_id", "rev", "epoch", "kind", "…")));

    assertThat(frames("What servers send")).isEqualTo(stated);
  }

  @Test
  void theTableOfKindsIsThatOfTheDocument() {
    Map<String, Shape> kinds = new TreeMap<>();
    Contract.FRAMES
        .server()
        .forEach(
            (name, shape) -> {
              if (name.startsWith("room.event ")) {
                kinds.put(name.substring("room.event ".length()), shape);
              }
            });

    assertThat(frames("Kinds of events"))
        .isEqualTo(stated(kinds, "type", "room_id", "rev", "epoch", "kind", "actor_id", "ts"));
  }

  @Test
  void theLimitsAreTheDefaults() throws IOException {
    JsonNode defaults = new YAMLMapper().readTree(Path.of("conf/confab.yaml").toFile());

    assertThat(text.table("Limits")).hasSizeGreaterThan(5);
    for (List<String> row : text.table("Limits")) {
      String key = "/" + row.getFirst().replace("`", "").replace('.', '/');
      assertThat(row.get(1)).as(key).isEqualTo(defaults.at(key).asText());
    }
  }

  @Test
  void theBoundsOfTheDocumentsAreTheDefaults() throws IOException {
    JsonNode limits = new YAMLMapper().readTree(Path.of("conf/confab.yaml").toFile()).get("limits");
    Documents documents = new Documents();
    JsonNode http = documents.source(Documents.OPENAPI).at("/components/schemas");
    JsonNode frames = documents.source(Documents.ASYNCAPI).at("/components/schemas");

    assertThat(http.at("/Body/maxLength")).isEqualTo(limits.get("body_bytes"));
    assertThat(http.at("/NewRoom/properties/members/maxItems"))
        .isEqualTo(limits.get("members_per_call"));
    assertThat(frames.at("/Resume/properties/rooms/maxItems"))
        .isEqualTo(limits.get("rooms_per_account"));
    assertThat(frames.at("/Welcome/properties/rooms/maxItems"))
        .isEqualTo(limits.get("rooms_per_account"));
  }

  /// Fields by frame; an optional one ends in `?`.
  private Map<String, Set<String>> frames(String heading) {
    Map<String, Set<String>> frames = new TreeMap<>();
    for (List<String> row : text.table(heading)) {
      Matcher frame = FRAME.matcher(row.getFirst());
      assertThat(frame.matches()).as(row.getFirst()).isTrue();
      Set<String> fields = new TreeSet<>(Arrays.asList(frame.group(2).split(", ", -1)));
      fields.remove("");
      frames.put(frame.group(1), fields);
    }
    return frames;
  }

  private static Map<String, Set<String>> stated(Map<String, Shape> shapes, String... understood) {
    Map<String, Set<String>> stated = new TreeMap<>();
    shapes.forEach(
        (name, shape) -> {
          Set<String> fields = fields(shape.source());
          Arrays.asList(understood).forEach(f -> fields.removeAll(Set.of(f, f + "?")));
          stated.put(name, fields);
        });
    return stated;
  }

  /// The fields of a frame; those that one of its forms lacks are optional.
  private static Set<String> fields(JsonNode frame) {
    List<JsonNode> forms = new ArrayList<>();
    frame.path("oneOf").forEach(forms::add);
    if (forms.isEmpty()) {
      forms.add(frame);
    }
    Set<String> fields = new TreeSet<>();
    for (JsonNode form : forms) {
      fields.addAll(Mutations.properties(form, NullNode.getInstance()).keySet());
    }
    Set<String> required = new TreeSet<>(fields);
    forms.forEach(form -> required.retainAll(Mutations.required(form, NullNode.getInstance())));
    return fields.stream()
        .map(field -> required.contains(field) ? field : field + "?")
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
