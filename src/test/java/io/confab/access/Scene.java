package io.confab.access;

import io.confab.scenario.ApiClient;
import io.vertx.core.json.JsonObject;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Where one thing is tried: callers, what stands in the places of a [Attempt] for each of them,
/// and what must not reach those outside.
final class Scene {
  private static final Pattern PLACE = Pattern.compile("\\{([a-z_']+)}");

  private final Place place;
  private final Map<Who, Actor> actors = new EnumMap<>(Who.class);
  private final Map<String, String> values = new HashMap<>();
  private final Map<Who, Map<String, String>> valuesOf = new EnumMap<>(Who.class);
  private final Map<String, ApiClient> keepers = new HashMap<>();
  private List<String> secrets = List.of();
  private List<String> bodies = List.of();

  Scene(Place place) {
    this.place = place;
  }

  Place place() {
    return place;
  }

  void set(String name, String value) {
    values.put(name, value);
  }

  void set(Who who, String name, String value) {
    valuesOf.computeIfAbsent(who, _ -> new HashMap<>()).put(name, value);
  }

  void set(Who who, Actor actor) {
    actors.put(who, actor);
  }

  /// Who sees everything of a room.
  void keep(String room, ApiClient keeper) {
    keepers.put(room, keeper);
  }

  /// @param bodies what was said
  /// @param others names of what and who is in the room
  void hide(List<String> bodies, List<String> others) {
    this.bodies = List.copyOf(bodies);
    this.secrets = Stream.concat(bodies.stream(), others.stream()).toList();
  }

  Actor actor(Who who) {
    return Objects.requireNonNull(actors.get(who));
  }

  /// What somebody may not be told: one outside nothing, others nothing that was said, when they
  /// are refused.
  List<String> hidden(Who who) {
    return who.isOutside() ? secrets : bodies;
  }

  String room(Who who) {
    return value(who, "room_id");
  }

  private String value(Who who, String name) {
    if (name.equals("unique")) {
      return Cast.unique();
    }
    String own = valuesOf.getOrDefault(who, Map.of()).get(name);
    String value = own == null ? values.get(name) : own;
    if (value == null) {
      throw new AssertionError(place.title() + " has no " + name + " for " + who);
    }
    return value;
  }

  String fill(String text, Who who) {
    return PLACE
        .matcher(text)
        .replaceAll(match -> Matcher.quoteReplacement(value(who, match.group(1))));
  }

  /// How often the room of a caller has changed.
  long rev(Who who) {
    return shown(room(who)).getLong("rev");
  }

  private JsonObject shown(String room) {
    return Objects.requireNonNull(keepers.get(room)).ok("GET", "/v1/rooms/" + room, null);
  }
}
