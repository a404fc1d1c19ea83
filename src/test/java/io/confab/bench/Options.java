package io.confab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// What the command line of `scripts/bench` says.
///
/// @param rounds that count; one before them does not
/// @param seconds that each cell measures
/// @param tries how often a cell is measured at most while others use the machine
/// @param foreign how many cores others may use in a cell
/// @param parts those that are run
/// @param contestants those that take part
/// @param before the jar of an earlier Confab, which takes part by the name of `before`; or nothing
record Options(
    int rounds,
    double seconds,
    int tries,
    double foreign,
    int sessions,
    long rows,
    boolean write,
    List<String> contestants,
    String before,
    List<String> parts) {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "rounds", "5",
          "seconds", "10",
          "tries", "3",
          "foreign", "0.2",
          "sessions", "18000",
          "rows", "200000",
          "before", "",
          "with", "floor,Confab,Socket.IO,ejabberd");

  static Options parse(List<String> words) {
    Map<String, String> values = new TreeMap<>(DEFAULTS);
    List<String> parts = new ArrayList<>();
    boolean write = false;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals("--write")) {
        write = true;
      } else if (word.startsWith("--")) {
        String name = word.substring(2);
        if (!DEFAULTS.containsKey(name) || i + 1 == words.size()) {
          throw new IllegalArgumentException("no such option, or no value: " + word);
        }
        values.put(name, words.get(++i));
      } else {
        parts.add(word);
      }
    }
    Function<String, String> value = name -> values.getOrDefault(name, "");
    return new Options(
        Integer.parseInt(value.apply("rounds")),
        Double.parseDouble(value.apply("seconds")),
        Integer.parseInt(value.apply("tries")),
        Double.parseDouble(value.apply("foreign")),
        Integer.parseInt(value.apply("sessions")),
        Long.parseLong(value.apply("rows")),
        write,
        List.of(value.apply("with").split(",", -1)),
        value.apply("before"),
        List.copyOf(parts));
  }
}
