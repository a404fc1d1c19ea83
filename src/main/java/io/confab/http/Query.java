package io.confab.http;

import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The query parameters of a request, read as strictly as the fields of a body.
record Query(Map<String, String> values) {
  /// In a page of any list.
  static final int MOST = 200;

  private static final int USUAL = 100;
  private static final String LIMIT = "limit";

  /// Of a route that reads none, whatever there is.
  static final Query UNREAD = new Query(Map.of());

  /// Refuses unknown and repeated parameters with `invalid_field`.
  static Query read(RoutingContext context, Set<String> known) {
    Map<String, String> values = new HashMap<>();
    for (Map.Entry<String, String> parameter : context.queryParams()) {
      if (!known.contains(parameter.getKey())) {
        throw Refusal.unknownField(parameter.getKey());
      }
      if (parameter.getValue().indexOf('\0') >= 0) {
        throw Refusal.invalidField(parameter.getKey(), "must not hold U+0000");
      }
      if (values.put(parameter.getKey(), parameter.getValue()) != null) {
        throw Refusal.invalidField(parameter.getKey(), "is repeated");
      }
    }
    return new Query(values);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /// The text of a parameter, absent where it is missing.
  @Nullable String text(String name) {
    return values.get(name);
  }

  /// A number from 0 on.
  @Nullable Long number(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException _) {
      // refused below
    }
    throw Refusal.invalidField(name, "must be a whole number from 0 on");
  }

  /// A number from 0 on that must be given.
  long requiredNumber(String name) {
    Long number = number(name);
    if (number == null) {
      throw Refusal.invalidField(name, "is missing");
    }
    return number;
  }

  /// How much of a list to answer.
  int limit() {
    return limit(USUAL);
  }

  /// How much of a list to answer, where it is `usual` unless the caller says.
  int limit(int usual) {
    Long limit = number(LIMIT);
    if (limit == null) {
      return usual;
    }
    if (limit < 1 || limit > MOST) {
      throw Refusal.invalidField(LIMIT, "must be from 1 to " + MOST);
    }
    return limit.intValue();
  }

  /// The id to go on after, as the answer before gave it in `next`.
  <T> @Nullable T after(Function<String, T> parse) {
    String text = text("after");
    try {
      return text == null ? null : parse.apply(text);
    } catch (Refusal _) {
      throw Refusal.invalidField("after", "is not a next of an earlier answer");
    }
  }

  /// The ids in a list; malformed ones are left out, like ids that nobody has.
  List<AccountId> accounts(String name, int most) {
    String text = text(name);
    List<String> ids = text == null || text.isEmpty() ? List.of() : Arrays.asList(text.split(","));
    if (ids.isEmpty() || ids.size() > most) {
      throw Refusal.invalidField(name, "must have 1 to " + most + " ids");
    }
    return ids.stream().flatMap(Query::account).distinct().toList();
  }

  private static Stream<AccountId> account(String text) {
    try {
      return Stream.of(AccountId.parse(text));
    } catch (Refusal _) {
      return Stream.empty();
    }
  }
}
