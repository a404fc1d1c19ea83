package io.confab.bus;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Makes a value of any record that crosses the bus, with each component different.
final class MadeValues {
  private final boolean nullable;
  private int made;

  /// @param nullable whether what may be null is there
  MadeValues(boolean nullable) {
    this.nullable = nullable;
  }

  Object of(Class<?> type) {
    try {
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(
          Arrays.stream(components).map(c -> component(c.getAnnotatedType())).toArray());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("cannot make a " + type, e);
    }
  }

  private @Nullable Object component(AnnotatedType type) {
    boolean mayBeNull = type.isAnnotationPresent(Nullable.class);
    return mayBeNull && !nullable ? null : of(type.getType());
  }

  private Object of(Type type) {
    made++;
    if (type instanceof ParameterizedType generic) {
      if (generic.getRawType() == Map.class) {
        return map(generic.getActualTypeArguments());
      }
      Type element = generic.getActualTypeArguments()[0];
      return generic.getRawType() == Optional.class
          ? (nullable ? Optional.of(of(element)) : Optional.empty())
          : List.of(of(element), of(element));
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isRecord()) {
      return of(plain);
    }
    if (plain.isEnum()) {
      Object[] constants = plain.getEnumConstants();
      return constants[made % constants.length];
    }
    if (plain.isSealed()) {
      Class<?>[] kinds = plain.getPermittedSubclasses();
      return of((Type) kinds[made % kinds.length]);
    }
    return simple(plain);
  }

  /// Of names to anything, or of what its types say.
  private Map<Object, Object> map(Type[] types) {
    if (types[1] == Object.class) {
      return Map.of("name", made, "other", simple(String.class));
    }
    Map<Object, Object> map = new HashMap<>();
    map.put(of(types[0]), of(types[1]));
    map.put(of(types[0]), of(types[1]));
    return map;
  }

  private Object simple(Class<?> type) {
    if (type == String.class) {
      return "\"ä\\|\n\u2028👍" + made;
    } else if (type == long.class || type == Long.class) {
      return Long.MAX_VALUE - made;
    } else if (type == int.class || type == Integer.class) {
      return Integer.MAX_VALUE - made;
    } else if (type == boolean.class || type == Boolean.class) {
      return nullable;
    } else if (type == byte[].class) {
      return new byte[] {0, -1, 127, -128, (byte) made};
    } else if (type == Duration.class) {
      return Duration.ofSeconds(made, 123_456_789);
    } else if (type == UUID.class) {
      return new UUID(made, -made);
    }
    throw new AssertionError("say here how a " + type + " is made");
  }
}
