package io.confab.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.Node;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every cell of the matrix against a running node, over every path: the answer is the one that
/// the matrix says; who is refused is told nothing of the room and has changed nothing; and where
/// a room is not to be known, the answer is that of a room that does not exist.
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessMatrixIT {
  private static final List<Who> OUTSIDE =
      List.of(Who.STRANGER, Who.INVITED, Who.FORMER, Who.BANNED, Who.SERVER_ADMIN);

  /// A code, or the status of an answer without one.
  private static final Pattern UNAVAILABLE = Pattern.compile("\"unavailable\"|^503$");

  private final AccessMatrix matrix = AccessMatrix.read();
  private final Attempts attempts = new Attempts();
  private final Map<Place, Scene> shared = new EnumMap<>(Place.class);
  private Nodes nodes;
  private Cast cast;
  private Scenes scenes;
  private int cells;

  /// How something is done.
  private enum Way {
    HTTP,
    /// `HEAD` in place of `GET`.
    HEAD,
    /// The API key acting for the caller.
    KEY,
    SOCKET
  }

  /// @param text without what differs between two answers that say the same
  private record Answer(Verdict verdict, String text) {}

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    Node node =
        nodes.add(TestConfig.with(nodes.config(), "api_key", Optional.of(new Secret(Cast.KEY))));
    Node shortLived =
        nodes.add(
            TestConfig.with(nodes.config(), "accounts.access_token_ttl", Duration.ofSeconds(1)));
    cast = new Cast(nodes.vertx(), node.port(), shortLived.port());
    scenes = new Scenes(cast);
  }

  @AfterAll
  void stop() {
    cast.close();
    nodes.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyCellIsAnsweredAsTheMatrixSays(Place place) {
    cells = 0;
    List<String> wrong = new ArrayList<>();
    for (Row row : matrix.rows(place)) {
      for (Who who : Who.values()) {
        if (row.cell(who) != Verdict.NO_SUCH_CALLER) {
          ways(row, who).forEach(way -> walk(row, who, way, wrong));
        }
      }
    }
    assertThat(wrong).as("of %d cells", cells).isEmpty();
  }

  private List<Way> ways(Row row, Who who) {
    Attempt attempt = attempts.of(row);
    List<Way> ways = new ArrayList<>();
    if (row.isOfSocket() || attempt instanceof Attempt.Upgrade) {
      ways.add(Way.SOCKET);
      return ways;
    }
    ways.add(Way.HTTP);
    if (attempt instanceof Attempt.Call call
        && !call.changes()
        && row.place() != Place.MANAGEMENT) {
      ways.add(Way.HEAD);
    }
    boolean mayBeNamed = who.isSignedIn() || who == Who.SUSPENDED;
    if (mayBeNamed && row.place() != Place.MANAGEMENT) {
      ways.add(Way.KEY);
    }
    return ways;
  }

  private void walk(Row row, Who who, Way way, List<String> wrong) {
    cells++;
    Verdict expected = expected(row, who, way);
    Attempt attempt = attempts.of(row);
    boolean own = expected == Verdict.DONE && changes(attempt);
    Scene scene =
        own
            ? scenes.make(row.place(), who, name -> attempt.toString().contains("{" + name + "}"))
            : shared(row.place());
    boolean counted = row.place().isRoom() && expected != Verdict.DONE && changes(attempt);
    long before = counted ? scene.rev(who) : 0;
    String cell = "%s, %s by %s: ".formatted(row, way, who);
    Answer answer = answer(filled(attempt, scene, who), scene, who, way);
    if (answer.verdict() != expected && !(way == Way.HEAD && sameStatus(answer, expected))) {
      wrong.add(cell + "not " + expected + " but " + answer);
    }
    if (row.place().isRoom()) {
      told(row, who, scene, answer).forEach(secret -> wrong.add(cell + "tells " + secret));
      if (counted && scene.rev(who) != before) {
        wrong.add(cell + "changed the room");
        shared.remove(row.place());
      }
      if (isUnknown(expected) && way != Way.HEAD) {
        compare(cell, filled(attempt, scene, who), scene, who, way, answer, wrong);
      }
    }
    if (own) {
      scene.actor(who).close();
    }
  }

  /// The API key does some things for nobody, and for the suspended nothing that asks who calls.
  private static Verdict expected(Row row, Who who, Way way) {
    boolean asksWhoCalls = row.cell(Who.NOBODY) == Verdict.UNAUTHORIZED;
    boolean never = !row.forKey() || (who == Who.SUSPENDED && asksWhoCalls);
    return way == Way.KEY && never ? Verdict.FORBIDDEN : row.cell(who);
  }

  private static boolean sameStatus(Answer answer, Verdict expected) {
    return answer.text().equals(Integer.toString(expected.status()));
  }

  private static boolean isUnknown(Verdict verdict) {
    return verdict == Verdict.NOT_FOUND || verdict == Verdict.GONE;
  }

  private Scene shared(Place place) {
    return shared.computeIfAbsent(place, scenes::make);
  }

  private static boolean changes(Attempt attempt) {
    return switch (attempt) {
      case Attempt.Call call -> call.changes();
      case Attempt.Frame _, Attempt.Upgrade _, Attempt.Hello _, Attempt.Bye _ -> true;
      case Attempt.Listing _, Attempt.FirstFrame _ -> false;
    };
  }

  private static Attempt filled(Attempt attempt, Scene scene, Who who) {
    return switch (attempt) {
      case Attempt.Call call -> call.filled(text -> scene.fill(text, who));
      case Attempt.Listing(var path) -> new Attempt.Listing(scene.fill(path, who));
      case Attempt.Frame frame -> new Attempt.Frame(frame.filled(text -> scene.fill(text, who)));
      case Attempt.FirstFrame(var frame) ->
          new Attempt.FirstFrame(new Attempt.Frame(frame.filled(text -> scene.fill(text, who))));
      case Attempt.Upgrade _, Attempt.Hello _, Attempt.Bye _ -> attempt;
    };
  }

  /// Asks again while it is not known whether seats are there, as after a machine has stood still:
  /// then nothing was done.
  private Answer answer(Attempt attempt, Scene scene, Who who, Way way) {
    return await()
        .until(() -> answerOnce(attempt, scene, who, way), answer -> !isUnavailable(answer));
  }

  private static boolean isUnavailable(Answer answer) {
    return answer.verdict() == Verdict.OTHER && UNAVAILABLE.matcher(answer.text()).find();
  }

  private Answer answerOnce(Attempt attempt, Scene scene, Who who, Way way) {
    Actor actor = scene.actor(who);
    return switch (attempt) {
      case Attempt.Call call -> answer(call(call, scene, who, way), way);
      case Attempt.Listing(var path) -> {
        Reply reply = call(new Attempt.Call("GET", path, ""), scene, who, way);
        Answer answer = answer(reply, way);
        yield answer.verdict() == Verdict.DONE ? listed(reply, scene.room(who)) : answer;
      }
      case Attempt.Frame(var text) -> answer(actor.ask(new JsonObject(text)));
      case Attempt.FirstFrame(Attempt.Frame(var text)) -> {
        Actor anew = cast.onNewDevice(who, actor);
        Answer answer = answer(anew.ask(new JsonObject(text)));
        anew.close();
        yield answer;
      }
      case Attempt.Upgrade _ -> answer(actor.upgrade());
      case Attempt.Hello _ -> answer(actor.hello());
      case Attempt.Bye _ -> answer(actor.bye());
    };
  }

  /// What a list says of one room; the caller may know the same people from others.
  private static Answer listed(Reply reply, String room) {
    return reply.json().stream()
        .map(Map.Entry::getValue)
        .filter(JsonArray.class::isInstance)
        .flatMap(list -> ((JsonArray) list).stream())
        .map(JsonObject.class::cast)
        .filter(one -> room.equals(one.getString("room_id")))
        .findFirst()
        .map(one -> new Answer(Verdict.DONE, one.encode()))
        .orElseGet(() -> new Answer(Verdict.NOT_FOUND, ""));
  }

  private Reply call(Attempt.Call call, Scene scene, Who who, Way way) {
    Actor actor = scene.actor(who);
    if (scene.place() == Place.MANAGEMENT) {
      return actor.callManagement(nodes.node(0).managementPort(), call);
    }
    ApiClient http = way == Way.KEY ? cast.actingFor(actor) : actor.http();
    return Actor.call(http, way == Way.HEAD ? "HEAD" : call.method(), call.path(), call.body());
  }

  private static Answer answer(Reply reply, Way way) {
    if (way == Way.HEAD) {
      return new Answer(Verdict.OTHER, Integer.toString(reply.status()));
    }
    Verdict verdict = Verdict.of(reply);
    if (verdict == Verdict.DONE) {
      return new Answer(verdict, reply.text());
    }
    JsonObject body = reply.json();
    body.getJsonObject("error").remove("request_id");
    return new Answer(verdict, body.encode());
  }

  private static Answer answer(JsonObject frame) {
    JsonObject content = frame.copy();
    content.remove("re");
    return new Answer(Verdict.of(frame), content.encode());
  }

  /// What an answer tells that it must not.
  private static List<String> told(Row row, Who who, Scene scene, Answer answer) {
    boolean done = answer.verdict() == Verdict.DONE;
    boolean joined = done && row.operation().startsWith("join");
    return joined || (done && !who.isOutside())
        ? List.of()
        : scene.hidden(who).stream().filter(answer.text()::contains).toList();
  }

  /// The same of a room that does not exist gets the same answer.
  private void compare(
      String cell,
      Attempt attempt,
      Scene scene,
      Who who,
      Way way,
      Answer answer,
      List<String> wrong) {
    String room = scene.room(who);
    String missing = new RoomId(RoomId.parse(room).value() ^ 1).toString();
    Attempt elsewhere = swapped(attempt, room, missing);
    if (!elsewhere.equals(attempt)) {
      String there = answer.text().replace(room, missing);
      String nowhere = answer(elsewhere, scene, who, way).text();
      if (!withoutIds(there).equals(withoutIds(nowhere))) {
        wrong.add(cell + "says " + there + " but of a room that does not exist " + nowhere);
      }
    }
  }

  /// Those that an attempt makes anew.
  private static String withoutIds(String text) {
    return text.replaceAll("\"client_id\":\"[^\"]+\"", "");
  }

  private static Attempt swapped(Attempt attempt, String room, String other) {
    return switch (attempt) {
      case Attempt.Call(var method, var path, var body) ->
          new Attempt.Call(method, path.replace(room, other), body);
      case Attempt.Frame(var text) -> new Attempt.Frame(text.replace(room, other));
      case Attempt.FirstFrame(Attempt.Frame(var text)) ->
          new Attempt.FirstFrame(new Attempt.Frame(text.replace(room, other)));
      case Attempt.Listing _, Attempt.Upgrade _, Attempt.Hello _, Attempt.Bye _ -> attempt;
    };
  }

  @Test
  void whatIsOfAnotherRoomOrAccountIsAnsweredAsIfItWereNotThereAndStays() {
    Scene scene = scenes.make(Place.GROUP);
    Scene other = scenes.make(Place.GROUP);
    String path = "/v1/rooms/" + other.room(Who.OWNER) + "/messages";
    long seq = 0;
    for (int i = 0; i < 3; i++) {
      JsonObject said = new JsonObject().put("client_id", Cast.unique()).put("body", "More");
      seq = other.actor(Who.OWNER).http().ok("POST", path, said).getLong("seq");
    }
    List<String> wrong = new ArrayList<>();
    String code = other.fill("{code}", Who.INVITED);
    for (ForeignId id : ForeignId.all(cast, seq, code)) {
      Answer foreign = answer(scene, id, id.foreign());
      Answer missing = answer(scene, id, id.missing());
      if (foreign.verdict() != id.verdict()
          || !withoutIds(foreign.text()).equals(withoutIds(missing.text()))) {
        wrong.add(id + ": " + foreign + ", of none " + missing);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(cast.actor(Who.OWNER).http().call("GET", "/v1/me", null).status()).isEqualTo(200);
    cast.actor(Who.STRANGER).http().ok("POST", "/v1/invites/" + code, null);
  }

  private Answer answer(Scene scene, ForeignId tried, String id) {
    scene.set("id", id);
    Way way = tried.attempt() instanceof Attempt.Frame ? Way.SOCKET : Way.HTTP;
    return answer(filled(tried.attempt(), scene, tried.who()), scene, tried.who(), way);
  }

  @ParameterizedTest
  @EnumSource(names = {"GROUP", "CHANNEL"})
  void nobodyOutsideHearsOnASocketWhatIsSaid(Place place) {
    Scene scene = scenes.make(place);
    List<Actor> listeners = new ArrayList<>();
    for (Who who : OUTSIDE) {
      listeners.add(cast.onNewDevice(who, cast.actor(who)));
    }
    listeners.forEach(Actor::listen);
    Actor member = cast.onNewDevice(Who.MEMBER, cast.actor(Who.MEMBER));
    member.listen();
    JsonObject said = new JsonObject().put("client_id", Cast.unique()).put("body", "Among us");
    Actor owner = scene.actor(Who.OWNER);
    long rev =
        owner
            .http()
            .ok("POST", "/v1/rooms/" + scene.room(Who.OWNER) + "/messages", said)
            .getLong("rev");
    member.socket().awaitRev(scene.room(Who.MEMBER), rev);
    for (Actor listener : listeners) {
      ChatClient socket = listener.socket();
      socket.ask(new JsonObject().put("type", "ping"));
      assertThat(socket.frames()).noneMatch(f -> f.encode().contains(scene.room(Who.STRANGER)));
    }
    listeners.forEach(Actor::close);
    member.close();
  }

  @Test
  void theMatrixKnowsEveryKindOfCaller() {
    assertThat(matrix.rows())
        .allSatisfy(row -> assertThat(row.cells()).hasSize(Who.values().length));
  }
}
