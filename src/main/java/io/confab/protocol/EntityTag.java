package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The name of a state of a thing (RFC 9110 §8.8.3): another one after each change.
public record EntityTag(String value) {
  @JsonCreator
  public EntityTag {}

  /// What tags are in SQL.
  public static String @Nullable [] values(@Nullable List<EntityTag> tags) {
    return tags == null ? null : tags.stream().map(EntityTag::value).toArray(String[]::new);
  }

  @Override
  @JsonValue
  public String toString() {
    return value;
  }
}
