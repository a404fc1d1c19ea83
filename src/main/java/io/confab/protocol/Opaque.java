package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Text of a client that no server understands, such as a key or what is encrypted by one: it is
/// passed on as it came, and never printed.
public record Opaque(String value) {
  @JsonCreator
  public Opaque {}

  /// Reads a field. Refusals: `invalid_field` for an empty one and for control characters, which
  /// would take six times as much in JSON, `too_large` for one of more bytes in UTF-8.
  public static Opaque read(Fields fields, String name, int maxBytes) {
    return checked(fields.path(name), fields.text(name), maxBytes);
  }

  /// Reads a field that may be absent; as above.
  public static @Nullable Opaque readOptional(Fields fields, String name, int maxBytes) {
    String text = fields.optionalText(name);
    return text == null ? null : checked(fields.path(name), text, maxBytes);
  }

  /// Checks what stands in a field; as above.
  public static Opaque checked(String field, String text, int maxBytes) {
    if (text.isEmpty()) {
      throw Refusal.invalidField(field, "must not be empty");
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw Refusal.invalidField(field, "holds a control character");
    }
    if (text.length() > maxBytes || text.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
      throw new Refusal(ErrorCode.TOO_LARGE, field, "at most " + maxBytes + " bytes");
    }
    return new Opaque(text);
  }

  @JsonValue
  @Override
  public String value() {
    return value;
  }

  @Override
  public String toString() {
    return "***";
  }
}
