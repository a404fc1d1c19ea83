package io.confab.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The fields of a JSON object, taken out one by one with their exact types. A field that is
/// missing, of another type or not asked for before [#end] is refused as `invalid_field` with
/// its path.
public final class Fields {
  private static final int ID_LENGTH = 64;

  private final ObjectNode node;
  private final String prefix;
  private final Set<String> known = new HashSet<>();

  Fields(ObjectNode node, String prefix) {
    this.node = node;
    this.prefix = prefix;
  }

  /// The path of a field, as errors name it.
  public String path(String name) {
    return prefix + name;
  }

  public boolean has(String name) {
    return node.has(name);
  }

  public String text(String name) {
    return required(name, optionalText(name));
  }

  public @Nullable String optionalText(String name) {
    JsonNode value = take(name);
    return value == null ? null : textOf(path(name), value);
  }

  /// A name that the client gives a request or a send.
  public @Nullable String optionalId(String name) {
    String id = optionalText(name);
    if (id != null && !isId(id)) {
      throw Refusal.invalidField(path(name), "must have 1 to 64 characters");
    }
    return id;
  }

  private static boolean isId(String text) {
    return !text.isEmpty() && text.length() <= ID_LENGTH;
  }

  /// One of the constants of an enum.
  public <E extends Enum<E> & WireName> E choice(String name, Class<E> type) {
    return required(name, optionalChoice(name, type));
  }

  public <E extends Enum<E> & WireName> @Nullable E optionalChoice(String name, Class<E> type) {
    String text = optionalText(name);
    if (text == null) {
      return null;
    }
    return WireName.find(type, text)
        .orElseThrow(() -> Refusal.invalidField(path(name), "must be " + either(type)));
  }

  private static <E extends Enum<E> & WireName> String either(Class<E> type) {
    List<String> names = WireName.constants(type).map(WireName::wire).toList();
    if (names.size() == 1) {
      return names.getFirst();
    }
    return String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.getLast();
  }

  public long number(String name) {
    return required(name, optionalNumber(name));
  }

  public @Nullable Long optionalNumber(String name) {
    JsonNode value = take(name);
    if (value == null || (value.isIntegralNumber() && value.canConvertToLong())) {
      return value == null ? null : value.longValue();
    }
    throw Refusal.invalidField(path(name), "must be a whole number");
  }

  /// A flag that is false when absent.
  public boolean flag(String name) {
    return Boolean.TRUE.equals(optionalFlag(name));
  }

  public @Nullable Boolean optionalFlag(String name) {
    JsonNode value = take(name);
    if (value == null || value.isBoolean()) {
      return value == null ? null : value.booleanValue();
    }
    throw Refusal.invalidField(path(name), "must be true or false");
  }

  public @Nullable Fields optionalObject(String name) {
    JsonNode value = take(name);
    if (value == null) {
      return null;
    }
    if (value instanceof ObjectNode object) {
      return new Fields(object, path(name) + ".");
    }
    throw Refusal.invalidField(path(name), "must be an object");
  }

  /// A list of objects; empty when absent.
  public List<Fields> objects(String name, int most) {
    List<Fields> objects = new ArrayList<>();
    for (JsonNode element : elements(name, most)) {
      String path = path(name) + "[" + objects.size() + "]";
      if (!(element instanceof ObjectNode object)) {
        throw Refusal.invalidField(path, "must be an object");
      }
      objects.add(new Fields(object, path + "."));
    }
    return objects;
  }

  /// A list of strings; empty when absent.
  public List<String> texts(String name, int most) {
    List<String> texts = new ArrayList<>();
    for (JsonNode element : elements(name, most)) {
      texts.add(textOf(path(name) + "[" + texts.size() + "]", element));
    }
    return texts;
  }

  /// An object of strings whose names are the client's choice, of at most 64 characters; empty
  /// when absent.
  public Map<String, String> textsByName(String name, int most) {
    JsonNode value = take(name);
    if (value == null) {
      return Map.of();
    }
    if (!(value instanceof ObjectNode object)) {
      throw Refusal.invalidField(path(name), "must be an object");
    }
    if (object.size() > most) {
      throw Refusal.invalidField(path(name), "has more than " + most + " fields");
    }
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      String key = field.getKey();
      if (key.length() > ID_LENGTH || !TextRules.isWhole(key)) {
        throw Refusal.invalidField(path(name), "has a name that is too long, or no text");
      }
      texts.put(key, textOf(path(name) + "." + key, field.getValue()));
    }
    return texts;
  }

  /// The text of a value; half surrogate pairs cannot be written again, and U+0000 cannot be
  /// stored: both are refused.
  private static String textOf(String path, JsonNode value) {
    if (!value.isTextual()) {
      throw Refusal.invalidField(path, "must be a string");
    }
    if (!TextRules.isWhole(value.textValue())) {
      throw Refusal.invalidField(path, "holds half a surrogate pair");
    }
    if (value.textValue().indexOf('\0') >= 0) {
      throw Refusal.invalidField(path, "must not hold U+0000");
    }
    return value.textValue();
  }

  private Iterable<JsonNode> elements(String name, int most) {
    JsonNode value = take(name);
    if (value == null) {
      return List.of();
    }
    if (!value.isArray()) {
      throw Refusal.invalidField(path(name), "must be a list");
    }
    if (value.size() > most) {
      throw Refusal.invalidField(path(name), "has more than " + most + " elements");
    }
    return value;
  }

  /// The name in a field, where there is a good one; nothing is refused.
  public Optional<String> peekId(String name) {
    JsonNode value = node.get(name);
    return Optional.ofNullable(value)
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue)
        .filter(text -> TextRules.isWhole(text) && isId(text));
  }

  /// Refuses fields that nobody asked for.
  public void end() {
    node.fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                throw Refusal.unknownField(path(name));
              }
            });
  }

  private @Nullable JsonNode take(String name) {
    known.add(name);
    return node.get(name);
  }

  private <T> T required(String name, @Nullable T value) {
    if (value == null) {
      throw Refusal.invalidField(path(name), "is missing");
    }
    return value;
  }
}
