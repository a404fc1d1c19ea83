package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;

/// JSON as it stands on the wire: snake_case, absent instead of null; read strictly (RFC 8259,
/// with duplicate names, nesting beyond 32 and numbers beyond 100 characters refused). Names are
/// not kept beyond their object: to intern those of a client costs more than all the rest.
public final class Json {
  private static final int DEPTH = 32;
  private static final int NUMBER_LENGTH = 100;
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
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

  /// Reads one object; anything else, and any other encoding than whole UTF-8, is refused as
  /// `invalid_json`. (Jackson would guess UTF-16 and let some broken UTF-8 pass.)
  public static Fields object(byte[] utf8) {
    try {
      return object(Utf8.text(utf8));
    } catch (CharacterCodingException _) {
      throw new Refusal(ErrorCode.INVALID_JSON, "not valid UTF-8");
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

  /// Says where, not what: the parser's own text would repeat what the client wrote.
  private static Refusal malformed(IOException e) {
    String where =
        e instanceof JsonProcessingException json && json.getLocation() != null
            ? " at line "
                + json.getLocation().getLineNr()
                + ", column "
                + json.getLocation().getColumnNr()
            : "";
    return new Refusal(ErrorCode.INVALID_JSON, "malformed JSON" + where);
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
