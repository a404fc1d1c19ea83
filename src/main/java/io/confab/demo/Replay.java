package io.confab.demo;

import io.confab.client.ApiException;
import io.confab.client.ConfabApi;
import io.confab.client.SentMessage;
import io.confab.config.Secret;
import io.confab.demo.Cast.Entrance;
import io.confab.demo.Cast.Person;
import io.confab.protocol.RoomId;
import io.confab.terminal.Plain;
import io.confab.terminal.Progress;
import io.confab.terminal.Screen;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Says an IRC log again in a channel, each nick by an account of its own, line after line.
public final class Replay {
  private static final double NANOS_OF_A_MINUTE = 60e9;

  private final Vertx vertx;
  private final List<URI> servers;
  private final Secret password;
  private final Screen screen;
  private final double speed;

  /// What a run did.
  ///
  /// @param added lines that were not in the channel before
  /// @param known lines that an earlier run had said
  /// @param refused lines that the server would not take
  public record Summary(int added, int known, int refused) {
    Summary with(boolean duplicate) {
      return duplicate
          ? new Summary(added, known + 1, refused)
          : new Summary(added + 1, known, refused);
    }

    Summary withRefused() {
      return new Summary(added, known, refused + 1);
    }
  }

  /// @param password of all the accounts
  /// @param speed how many times faster than it was said; 0: as fast as it goes
  public Replay(Vertx vertx, List<URI> servers, Secret password, Screen screen, double speed) {
    this.vertx = vertx;
    this.servers = servers;
    this.password = password;
    this.screen = screen;
    this.speed = speed;
  }

  /// Blocks until the last line is stored.
  ///
  /// @param channel is made when there is none
  /// @throws IOException when a nick's handle belongs to somebody else
  public Summary run(IrcLog log, String channel) throws IOException, InterruptedException {
    if (log.lines().isEmpty()) {
      return new Summary(0, 0, 0);
    }
    Map<String, String> handles = log.handles();
    List<Person> people =
        log.nicks().stream().map(nick -> new Person(of(nick, handles), nick)).toList();
    screen.line("Signing in " + people.size() + " people …");
    var entrance = new Entrance(vertx, servers, password, "replay");
    try (Cast cast = Cast.enter(entrance, people, new Progress(screen, "people", people.size()))) {
      RoomId room = Stage.channel(cast.as(people.getFirst().handle()), channel, null);
      screen.line("Saying " + log.lines().size() + " lines …");
      return say(log, room, cast);
    }
  }

  private Summary say(IrcLog log, RoomId room, Cast cast) throws InterruptedException {
    Map<String, String> handles = log.handles();
    Progress progress = new Progress(screen, "lines", log.lines().size());
    Set<String> joined = new HashSet<>();
    Summary summary = new Summary(0, 0, 0);
    Pace pace = new Pace(log.lines(), speed);
    for (int i = 0; i < log.lines().size(); i++) {
      IrcLog.Line line = log.lines().get(i);
      ConfabApi speaker = cast.as(of(line.nick(), handles));
      if (joined.add(line.nick())) {
        speaker.join(room).await();
      }
      pace.await(i);
      summary = say(i, line, room, speaker, summary);
      progress.step();
    }
    return summary;
  }

  private Summary say(int place, IrcLog.Line line, RoomId room, ConfabApi speaker, Summary before) {
    List<String> parts = List.of(Integer.toString(place), line.nick(), line.text());
    try {
      SentMessage sent = speaker.send(room, Stage.clientId(room, parts), line.text()).await();
      return before.with(sent.duplicate());
    } catch (ApiException refusal) {
      if (refusal.retryable()) {
        throw refusal;
      }
      screen.line("✗ line %d: %s".formatted(place + 1, Plain.line(refusal.detail())));
      return before.withRefused();
    }
  }

  private static String of(String nick, Map<String, String> handles) {
    return Optional.ofNullable(handles.get(nick)).orElseThrow();
  }

  /// When each line is due. The log has minutes only: lines of one minute are spread over it.
  private record Pace(List<IrcLog.Line> lines, double speed, long begin) {
    Pace(List<IrcLog.Line> lines, double speed) {
      this(lines, speed, System.nanoTime());
    }

    void await(int index) throws InterruptedException {
      if (speed > 0) {
        long due = begin + (long) (minutes(index) * NANOS_OF_A_MINUTE / speed);
        Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
      }
    }

    private double minutes(int index) {
      int minute = lines.get(index).minute();
      int first = index;
      while (first > 0 && lines.get(first - 1).minute() == minute) {
        first--;
      }
      int last = index;
      while (last + 1 < lines.size() && lines.get(last + 1).minute() == minute) {
        last++;
      }
      return minute - lines.getFirst().minute() + (double) (index - first) / (last - first + 1);
    }
  }
}
