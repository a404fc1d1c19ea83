package io.confab.access;

import io.confab.access.Cast.Target;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Builds scenes by what anybody may do over HTTP.
final class Scenes {
  private static final String SUITE = "olm1";
  private static final List<Who> SPEAKERS =
      List.of(Who.FORMER, Who.BANNED, Who.MUTED, Who.BLOCKED, Who.MEMBER, Who.ADMIN, Who.OWNER);
  private static final List<Who> FIRST_MEMBERS =
      List.of(
          Who.FORMER,
          Who.BANNED,
          Who.MUTED,
          Who.BLOCKED,
          Who.MEMBER,
          Who.ADMIN,
          Who.SUSPENDED,
          Who.REVOKED,
          Who.EXPIRED);

  private final Cast cast;

  Scenes(Cast cast) {
    this.cast = cast;
  }

  /// A scene in which every kind of caller may be refused whatever it tries.
  Scene make(Place place) {
    Scene scene = empty(place);
    switch (place) {
      case GROUP, CHANNEL -> fillRoom(scene, SPEAKERS, _ -> true);
      case ARCHIVED_GROUP, ARCHIVED_CHANNEL -> {
        fillRoom(scene, SPEAKERS, _ -> true);
        owner().ok("DELETE", "/v1/rooms/" + scene.room(Who.OWNER), null);
      }
      case DIRECT -> {
        cast.block(fillDirect(scene, Who.BLOCKED, _ -> true), scene.actor(Who.BLOCKED));
        fillDirect(scene, Who.MEMBER, _ -> true); // the room that those outside try
      }
      case ARCHIVED_DIRECT -> cast.remove(fillDirect(scene, Who.MEMBER, _ -> true));
      case SERVER, MANAGEMENT -> {
        scene.set("victim", cast.target(Target.NEW).accountId());
        scene.set("password", ApiClient.PASSWORD);
        Stream.of(Who.values()).forEach(who -> introduce(scene, who));
      }
    }
    return scene;
  }

  /// A scene for one caller who does something once.
  ///
  /// @param wants which places are to be filled
  Scene make(Place place, Who who, Predicate<String> wants) {
    Scene scene = empty(place);
    switch (place) {
      case GROUP, CHANNEL, ARCHIVED_GROUP, ARCHIVED_CHANNEL -> fillRoom(scene, List.of(who), wants);
      case DIRECT, ARCHIVED_DIRECT -> {
        Actor partner = fillDirect(scene, who, wants);
        if (who == Who.BLOCKED) {
          cast.block(partner, scene.actor(who));
        }
      }
      case SERVER, MANAGEMENT -> fillServer(scene, who, wants);
    }
    return scene;
  }

  private Scene empty(Place place) {
    Scene scene = new Scene(place);
    for (Who each : Who.values()) {
      scene.set(each, cast.actor(each));
    }
    scene.set("new", cast.target(Target.NEW).accountId());
    return scene;
  }

  private ApiClient owner() {
    return cast.actor(Who.OWNER).http();
  }

  private void fillRoom(Scene scene, List<Who> who, Predicate<String> wants) {
    boolean channel = scene.place().isChannel();
    String name = "hidden" + Cast.unique();
    JsonArray members = new JsonArray();
    FIRST_MEMBERS.forEach(one -> members.add(cast.actor(one).accountId()));
    Stream.of(Target.values())
        .filter(target -> target != Target.NEW && target != Target.BANNED)
        .forEach(target -> members.add(cast.target(target).accountId()));
    JsonObject room =
        owner()
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", channel ? "channel" : "group")
                    .put("name", name)
                    .put("members", members));
    describe(scene, room, name);
    String path = "/v1/rooms/" + room.getString("room_id");
    promote(path, who, wants);
    List<String> said = speak(scene, path, who, wants);
    moderate(scene, path, who, wants);
    List<String> others = new ArrayList<>(insiders());
    if (!channel) {
      others.add(name);
    }
    scene.hide(said, others);
  }

  /// An owner has company, so as to be able to leave.
  private void promote(String path, List<Who> who, Predicate<String> wants) {
    if (who.contains(Who.ADMIN)) {
      role(path, cast.actor(Who.ADMIN), "admin");
    }
    if (wants.test("admin")) {
      role(path, cast.target(Target.ADMIN), "admin");
    }
    if (wants.test("owner") || who.contains(Who.OWNER)) {
      role(path, cast.target(Target.OWNER), "owner");
    }
  }

  private void describe(Scene scene, JsonObject room, String name) {
    String id = room.getString("room_id");
    scene.set("room_id", id);
    scene.set("before_room", new RoomId(RoomId.parse(id).value() - 1).toString());
    scene.set("name", name);
    scene.set("suite", SUITE);
    scene.set("epoch", room.getLong("epoch").toString());
    for (Target target : Target.values()) {
      scene.set(target.name().toLowerCase(Locale.ROOT), cast.target(target).accountId());
    }
    scene.keep(id, owner());
  }

  /// Handles and ids of those who are in the room.
  private List<String> insiders() {
    return Stream.concat(
            Stream.of(Who.MUTED, Who.BLOCKED, Who.MEMBER, Who.ADMIN, Who.OWNER).map(cast::actor),
            Stream.of(cast.target(Target.MEMBER)))
        .flatMap(actor -> Stream.of(actor.person().orElseThrow().handle(), actor.accountId()))
        .toList();
  }

  private void role(String path, Actor member, String role) {
    owner().ok("PUT", path + "/members/" + member.accountId(), new JsonObject().put("role", role));
  }

  private List<String> speak(
      Scene scene, String path, List<Who> speakers, Predicate<String> wants) {
    List<String> said = new ArrayList<>();
    scene.set("own", "1");
    if (wants.test("own")) {
      speakers.forEach(who -> scene.set(who, "own", say(cast.actor(who), path, said)));
    }
    if (wants.test("another's")) {
      scene.set("another's", say(cast.target(Target.MEMBER), path, said));
    }
    return said;
  }

  private static String say(Actor actor, String path, List<String> said) {
    String body = "secret" + Cast.unique();
    said.add(body);
    return actor
        .http()
        .ok(
            "POST",
            path + "/messages",
            new JsonObject().put("client_id", Cast.unique()).put("body", body))
        .getLong("seq")
        .toString();
  }

  private void moderate(Scene scene, String path, List<Who> who, Predicate<String> wants) {
    if (who.contains(Who.MUTED)) {
      mute(path, cast.actor(Who.MUTED));
    }
    if (wants.test("muted")) {
      mute(path, cast.target(Target.MUTED));
    }
    if (who.contains(Who.BANNED)) {
      ban(path, cast.actor(Who.BANNED));
    }
    if (wants.test("banned")) {
      ban(path, cast.target(Target.BANNED));
    }
    if (who.contains(Who.FORMER)) {
      cast.actor(Who.FORMER).http().ok("DELETE", path + "/members/me", null);
    }
    if (wants.test("code")) {
      scene.set("code", invite(path));
      scene.set(Who.STRANGER, "code", Cast.unique());
      scene.set(Who.SERVER_ADMIN, "code", Cast.unique());
    }
    if (wants.test("old_code")) {
      scene.set("old_code", invite(path));
    }
  }

  private void mute(String path, Actor actor) {
    owner()
        .ok(
            "PUT",
            path + "/mutes/" + actor.accountId(),
            new JsonObject().put("until", 4_000_000_000_000L));
  }

  private void ban(String path, Actor actor) {
    owner().ok("PUT", path + "/bans/" + actor.accountId(), null);
  }

  private String invite(String path) {
    return owner().ok("POST", path + "/invites", null).getString("code");
  }

  /// Makes a direct room of two new people, one of whom is the caller.
  ///
  /// @return the other one
  private Actor fillDirect(Scene scene, Who who, Predicate<String> wants) {
    Actor caller = cast.newcomer();
    Actor other = cast.newcomer();
    JsonObject room =
        caller
            .http()
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "direct")
                    .put("members", new JsonArray().add(other.accountId())));
    describe(scene, room, "nothing");
    scene.set("own", "1");
    scene.set("another's", "2");
    scene.set("code", Cast.unique());
    scene.set("old_code", Cast.unique());
    String id = room.getString("room_id");
    List<String> said = new ArrayList<>();
    scene.set(who, caller);
    scene.set(who, "room_id", id);
    scene.set(who, "before_room", new RoomId(RoomId.parse(id).value() - 1).toString());
    scene.set(who, "member", other.accountId());
    if (wants.test("own") || wants.test("another's")) {
      scene.set(who, "own", say(caller, "/v1/rooms/" + id, said));
      scene.set(who, "another's", say(other, "/v1/rooms/" + id, said));
    }
    if (wants.test("suite")) {
      giveKeys(caller);
      giveKeys(other);
    }
    scene.keep(id, caller.http());
    scene.hide(
        said, Stream.of(caller, other).map(one -> one.person().orElseThrow().handle()).toList());
    return other;
  }

  /// Without keys of both nobody seals their room.
  private static void giveKeys(Actor actor) {
    actor
        .http()
        .ok(
            "PUT",
            "/v1/me/keys",
            new JsonObject().put("suite", SUITE).put("identity", actor.accountId()));
  }

  /// The caller is a new account, as some of what it does ends its sign-ins.
  private void fillServer(Scene scene, Who who, Predicate<String> wants) {
    if (who.isSignedIn()) {
      scene.set(who, cast.newcomer(who == Who.SERVER_ADMIN ? "admin" : "user"));
      if (who == Who.BLOCKED) {
        cast.block(cast.target(Target.NEW), scene.actor(who));
      }
    }
    introduce(scene, who);
    scene.set("password", ApiClient.PASSWORD);
    if (wants.test("victim")) {
      scene.set("victim", cast.newcomer("user").accountId());
    }
    if (wants.test("device") && who.isSignedIn()) {
      Actor another = cast.onNewDevice(who, scene.actor(who));
      scene.set(who, "device", another.person().orElseThrow().deviceId());
    }
  }

  private static void introduce(Scene scene, Who who) {
    scene
        .actor(who)
        .person()
        .map(Scenes::credentials)
        .orElse(
            Map.of(
                "handle", "nobody",
                "refresh_token", "nonsense",
                "device", "nothing",
                "token", "nonsense"))
        .forEach((name, value) -> scene.set(who, name, value));
  }

  private static Map<String, String> credentials(Person person) {
    return Map.of(
        "handle", person.handle(),
        "refresh_token", person.refreshToken(),
        "device", person.deviceId(),
        "token", person.token());
  }
}
