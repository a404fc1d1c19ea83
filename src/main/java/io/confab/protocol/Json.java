package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/// JSON as it stands on the wire: snake_case, absent instead of null; read strictly (RFC 8259,
/// with duplicate names, nesting beyond 32 and numbers beyond 100 characters refused).
public final class Json {
  private static final int DEPTH = 32;
  private static final int NUMBER_LENGTH = 100;
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH)
                          .maxNumberLength(NUMBER_LENGTH)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .build();

  private Json() {}

  /// Reads one object; anything else is refused as `invalid_json`.
  public static Fields object(byte[] utf8) {
    try {
      return fields(MAPPER.readTree(utf8));
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  /// Reads one object; anything else is refused as `invalid_json`.
  public static Fields object(String text) {
    try {
      return fields(MAPPER.readTree(text));
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  private static Fields fields(JsonNode node) {
    if (node instanceof ObjectNode object) {
      return new Fields(object, "");
    }
    throw new Refusal(ErrorCode.INVALID_JSON, "one JSON object is expected");
  }

  private static Refusal malformed(IOException e) {
    String detail =
        e instanceof JsonProcessingException json
            ? json.getOriginalMessage().lines().findFirst().orElse("malformed JSON")
            : "malformed JSON";
    return new Refusal(ErrorCode.INVALID_JSON, detail);
  }

  /// Writes a record of the protocol.
  public static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
