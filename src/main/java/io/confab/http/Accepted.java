package io.confab.http;

import java.util.List;
import java.util.OptionalDouble;

/// What a client accepts by name, and how gladly: the lists of `accept` and `accept-encoding` (RFC
/// 9110 §12.4.2, §12.5.1, §12.5.3).
final class Accepted {
  /// Nobody has more to say; what stands further back is not looked at.
  private static final int MOST_NAMED = 64;

  private Accepted() {}

  /// The weight of a name, from 0 (not acceptable) to 1; empty where it is not named. A weight that
  /// cannot be read is 0, of a name that stands there twice the first counts.
  ///
  /// @param fields the values of the header, as they stand
  static OptionalDouble weight(List<String> fields, String name) {
    int named = 0;
    for (String field : fields) {
      for (int from = 0; from < field.length() && named < MOST_NAMED; named++) {
        int comma = field.indexOf(',', from);
        int end = comma < 0 ? field.length() : comma;
        int semicolon = field.indexOf(';', from);
        int nameEnd = semicolon < 0 || semicolon > end ? end : semicolon;
        if (field.substring(from, nameEnd).strip().equalsIgnoreCase(name)) {
          return OptionalDouble.of(weight(field.substring(nameEnd, end)));
        }
        from = end + 1;
      }
    }
    return OptionalDouble.empty();
  }

  /// @param parameters each behind a semicolon
  private static double weight(String parameters) {
    for (String parameter : parameters.split(";", -1)) {
      String[] parts = parameter.strip().split("=", 2);
      if (parts.length == 2 && parts[0].strip().equalsIgnoreCase("q")) {
        String weight = parts[1].strip();
        return weight.matches("0(\\.\\d{0,3})?|1(\\.0{0,3})?") ? Double.parseDouble(weight) : 0;
      }
    }
    return 1;
  }
}
