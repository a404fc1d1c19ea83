package io.confab.demo;

import io.confab.client.ApiException;
import io.confab.client.ConfabApi;
import io.confab.demo.Cast.Entrance;
import io.confab.demo.Cast.Person;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.screen.Plain;
import io.confab.screen.Progress;
import io.confab.screen.Screen;
import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.rxjava3.SingleHelper;
import java.io.IOException;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Sends the lines of an IRC log to a channel, in their order, each nick as an account of its own.
public final class Replay {
  private static final double NANOS_OF_A_MINUTE = 60e9;

  private final Vertx vertx;
  private final List<URI> servers;
  private final Secret password;
  private final Screen screen;
  private final double speed;

  /// The result of a run.
  ///
  /// @param added lines that were not in the channel before
  /// @param known lines that an earlier run had sent
  /// @param refused lines that the server would not take
  public record Summary(int added, int known, int refused) {
    private Summary with(Outcome outcome) {
      if (outcome.refusal().isPresent()) {
        return new Summary(added, known, refused + 1);
      }
      return outcome.known()
          ? new Summary(added, known + 1, refused)
          : new Summary(added + 1, known, refused);
    }
  }

  /// The outcome of a line.
  ///
  /// @param known whether an earlier run had sent it
  /// @param refusal a line for the person, when the server would not take it
  private record Outcome(boolean known, Optional<String> refusal) {
    static Outcome refused(int place, ApiException refusal) {
      String detail = Plain.line(refusal.detail());
      return new Outcome(false, Optional.of("✗ line %d: %s".formatted(place + 1, detail)));
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

  /// Sends line by line through one pipeline: a line is sent when the one before is stored, so that
  /// the channel has the order of the log.
  private Summary say(IrcLog log, RoomId room, Cast cast) {
    Map<String, String> handles = log.handles();
    Pace pace = new Pace(log.lines(), speed);
    Set<String> joined = new HashSet<>();
    Flowable<Outcome> outcomes =
        Flowable.range(0, log.lines().size())
            .concatMapSingle(
                place -> {
                  IrcLog.Line line = log.lines().get(place);
                  ConfabApi speaker = cast.as(of(line.nick(), handles));
                  Future<Outcome> said =
                      (joined.add(line.nick()) ? speaker.join(room) : Future.succeededFuture())
                          .compose(_ -> pace.await(vertx, place))
                          .compose(_ -> say(place, line, room, speaker));
                  return SingleHelper.toSingle(said::onComplete);
                });
    Progress progress = new Progress(screen, "lines", log.lines().size());
    Summary summary = new Summary(0, 0, 0);
    for (Outcome outcome : outcomes.blockingIterable(1)) {
      summary = summary.with(outcome);
      outcome.refusal().ifPresent(screen::line);
      progress.step();
    }
    return summary;
  }

  private static Future<Outcome> say(int place, IrcLog.Line line, RoomId room, ConfabApi speaker) {
    List<String> parts = List.of(Integer.toString(place), line.nick(), line.text());
    return speaker
        .send(room, Stage.clientId(room, parts), line.text())
        .map(sent -> new Outcome(sent.duplicate(), Optional.empty()))
        .recover(
            failure ->
                failure instanceof ApiException refusal && !refusal.retryable()
                    ? Future.succeededFuture(Outcome.refused(place, refusal))
                    : Future.failedFuture(failure));
  }

  private static String of(String nick, Map<String, String> handles) {
    return Optional.ofNullable(handles.get(nick)).orElseThrow();
  }

  /// When each line is due. The log has minutes only: lines of one minute are spread over it.
  private record Pace(List<IrcLog.Line> lines, double speed, long begin) {
    Pace(List<IrcLog.Line> lines, double speed) {
      this(lines, speed, System.nanoTime());
    }

    Future<?> await(Vertx vertx, int index) {
      if (speed == 0) {
        return Future.succeededFuture();
      }
      long due = begin + (long) (minutes(index) * NANOS_OF_A_MINUTE / speed);
      return vertx.timer(Math.max(1, due - System.nanoTime()), TimeUnit.NANOSECONDS);
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
