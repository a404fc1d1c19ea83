package io.confab.demo;

import io.confab.client.ApiException;
import io.confab.client.ConfabApi;
import io.confab.client.SentMessage;
import io.confab.demo.WorldScript.Line;
import io.confab.demo.WorldScript.Scene;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.confab.screen.Progress;
import io.confab.screen.Screen;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The demo world: people, rooms and conversations to look at, the same each time, made through
/// the public API. What has been said within a minute is then moved back over some days.
public final class World {
  /// The password of everybody. It is no secret: the world belongs on a server that nobody else can
  /// reach.
  public static final String PASSWORD = "demo-password";

  /// What moves rooms back in time. It leaves alone those that it has moved before, and those in
  /// which others have spoken.
  public interface Past {
    /// @param times of the messages of a room, in the order of their numbers; the last one is that
    ///     which the message has
    void move(Map<RoomId, List<Instant>> times) throws IOException;
  }

  private final WorldScript script = WorldScript.load();
  private final Vertx vertx;
  private final List<URI> servers;
  private final Screen screen;
  private final Past past;

  public World(Vertx vertx, List<URI> servers, Screen screen, Past past) {
    this.vertx = vertx;
    this.servers = servers;
    this.screen = screen;
    this.past = past;
  }

  /// Adds those parts of the world that are missing. Blocks.
  ///
  /// @return how many messages were added
  /// @throws IOException when a handle of the world belongs to somebody else
  public int build() throws IOException, InterruptedException {
    screen.line("Building the demo world …");
    var entrance = new Cast.Entrance(vertx, servers, new Secret(PASSWORD), "demo");
    int added = 0;
    Map<RoomId, List<Instant>> times = new LinkedHashMap<>();
    try (Cast cast =
        Cast.enter(
            entrance, script.people(), new Progress(screen, "people", script.people().size()))) {
      Progress progress = new Progress(screen, "messages", script.messages());
      for (Scene scene : script.scenes()) {
        List<SentMessage> said = play(scene, room(scene, cast), cast, progress);
        int fresh = (int) said.stream().filter(sent -> !sent.duplicate()).count();
        if (fresh > 0) {
          read(scene, said, cast);
        }
        added += fresh;
        SentMessage last = said.getLast();
        times.put(
            last.roomId(),
            scene
                .sittings()
                .times(said.size(), Instant.ofEpochMilli(last.ts()), ZoneId.systemDefault()));
      }
    }
    try {
      past.move(times);
    } finally {
      print(added);
    }
    return added;
  }

  private RoomId room(Scene scene, Cast cast) {
    ConfabApi maker = cast.as(scene.members().getFirst());
    List<String> others = scene.members().subList(1, scene.members().size());
    return switch (scene.kind()) {
      case "channel" -> {
        RoomId channel = Stage.channel(maker, scene.name(), scene.description());
        others.forEach(member -> cast.as(member).join(channel).await());
        yield channel;
      }
      case "group" ->
          Stage.group(maker, scene.name()).orElseGet(() -> group(maker, scene, others, cast));
      default -> maker.createDirect(id(others.getFirst(), cast)).await().roomId();
    };
  }

  private static RoomId group(ConfabApi maker, Scene scene, List<String> others, Cast cast) {
    List<AccountId> members = others.stream().map(member -> id(member, cast)).toList();
    return maker.createGroup(scene.name(), scene.description(), members).await().roomId();
  }

  private static AccountId id(String handle, Cast cast) {
    return cast.as(handle).credentials().await().accountId();
  }

  private static List<SentMessage> play(Scene scene, RoomId room, Cast cast, Progress progress) {
    List<SentMessage> said = new ArrayList<>();
    for (Line line : scene.lines()) {
      Integer answers = line.answers();
      @Nullable Seq replyTo = answers == null ? null : said.get(answers).seq();
      SentMessage sent = say(line, room, replyTo, said.size(), cast);
      said.add(sent);
      change(line, sent, cast);
      progress.step();
    }
    return said;
  }

  /// What is unread afterwards is there to be found by whoever signs in.
  private static void read(Scene scene, List<SentMessage> said, Cast cast) {
    for (String member : scene.members()) {
      int lines = scene.readBy(member);
      if (lines > 0) {
        SentMessage last = said.get(lines - 1);
        cast.as(member).markRead(last.roomId(), last.seq()).await();
      }
    }
  }

  private static SentMessage say(
      Line line, RoomId room, @Nullable Seq replyTo, int place, Cast cast) {
    var clientId =
        Stage.clientId(room, List.of(Integer.toString(place), line.handle(), line.text()));
    return cast.as(line.handle()).send(room, clientId, line.text(), replyTo, line.topic()).await();
  }

  /// Edits and deletes also a message that an earlier run sent, as that run may have ended before;
  /// to do it twice changes nothing.
  private static void change(Line line, SentMessage sent, Cast cast) {
    String edited = line.edited();
    if (edited != null) {
      var clientId = Stage.clientId(sent.roomId(), List.of("edit", sent.seq().toString()));
      edit(cast.as(line.handle()), sent, clientId, edited);
    }
    if (line.deleted()) {
      cast.as(line.handle()).delete(sent.roomId(), sent.seq()).await();
    }
  }

  private static void edit(ConfabApi author, SentMessage sent, ClientId clientId, String text) {
    try {
      author.edit(sent.roomId(), sent.seq(), clientId, text).await();
    } catch (ApiException refusal) {
      if (!refusal.is(ErrorCode.GONE)) { // whoever plays with the world has deleted it
        throw refusal;
      }
    }
  }

  private void print(int added) {
    screen.line(
        "The demo world is there: %d people, %d rooms, %d messages%s."
            .formatted(
                script.people().size(),
                script.scenes().size(),
                script.messages(),
                added == script.messages() ? "" : ", %d of them new".formatted(added)));
    screen.line("Sign in as any of these, all with the password " + PASSWORD + ":");
    script
        .people()
        .forEach(
            person -> screen.line("  %-8s %s".formatted(person.handle(), person.displayName())));
    Optional<Scene> lobby = script.scenes().stream().findFirst();
    screen.line(
        "Then, in another terminal: CONFAB_PASSWORD=%s scripts/confab chat --server %s --as %s --room %s"
            .formatted(
                PASSWORD,
                servers.getFirst(),
                script.people().getFirst().handle(),
                lobby.map(Scene::name).orElseThrow()));
  }
}
