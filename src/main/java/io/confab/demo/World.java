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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The demo world: people, rooms and conversations to look at, the same each time, made through
/// the public API.
public final class World {
  /// The password of everybody. It is no secret: the world belongs on a server that nobody else can
  /// reach.
  public static final String PASSWORD = "demo-password";

  private final WorldScript script = WorldScript.load();
  private final Vertx vertx;
  private final List<URI> servers;
  private final Screen screen;

  public World(Vertx vertx, List<URI> servers, Screen screen) {
    this.vertx = vertx;
    this.servers = servers;
    this.screen = screen;
  }

  /// Adds those parts of the world that are missing. Blocks.
  ///
  /// @return how many messages were added
  /// @throws IOException when a handle of the world belongs to somebody else
  public int build() throws IOException, InterruptedException {
    screen.line("Building the demo world …");
    var entrance = new Cast.Entrance(vertx, servers, new Secret(PASSWORD), "demo");
    int added = 0;
    try (Cast cast =
        Cast.enter(
            entrance, script.people(), new Progress(screen, "people", script.people().size()))) {
      Progress progress = new Progress(screen, "messages", script.messages());
      for (Scene scene : script.scenes()) {
        added += play(scene, room(scene, cast), cast, progress);
      }
    }
    print(added);
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

  private static int play(Scene scene, RoomId room, Cast cast, Progress progress) {
    List<Seq> seqs = new ArrayList<>();
    int added = 0;
    for (Line line : scene.lines()) {
      Integer answers = line.answers();
      @Nullable Seq replyTo = answers == null ? null : seqs.get(answers);
      SentMessage sent = say(line, room, replyTo, seqs.size(), cast);
      seqs.add(sent.seq());
      if (!sent.duplicate()) {
        added++;
      }
      change(line, sent, cast);
      progress.step();
    }
    return added;
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
