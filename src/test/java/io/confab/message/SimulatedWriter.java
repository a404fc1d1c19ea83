package io.confab.message;

import io.confab.config.Config;
import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.protocol.Epoch;
import io.confab.protocol.Message;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeOutcome;
import io.confab.queue.EnvelopeSent;
import io.confab.time.Backoff;
import io.confab.time.Timing;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A [MessageWriter] above a database and a time that are somebody else's models.
public final class SimulatedWriter {
  private final MessageWriter writer;

  /// The database as a writer sees it, in words that other packages know.
  public interface Log {
    Future<Void> connect();

    boolean connected();

    Epoch epoch();

    Future<List<Verdict>> append(List<Draft> group);

    Future<List<ChangeVerdict>> change(List<MessageChange> run);

    Future<List<Event>> find(List<Draft> group);

    Future<List<Event>> findChanges(List<MessageChange> run);

    Future<List<EnvelopeOutcome>> put(List<EnvelopeDraft> group);

    Future<List<Event>> findPut(List<EnvelopeDraft> group);

    Future<Set<RoomId>> locked(Collection<RoomId> rooms);
  }

  /// The passing of time.
  public interface Time {
    long nanoTime();

    Future<Void> pause(Duration duration);
  }

  /// What became of a draft, in the words of the function in the database.
  public record Verdict(String outcome, long seq, long rev, long ts) {}

  /// What became of a change.
  ///
  /// @param outcome `made`, `known` or why not
  public record ChangeVerdict(String outcome, long rev, long ts, @Nullable Message message) {}

  public SimulatedWriter(
      Log log, Announcer announcer, Config.Persistence limits, Time time, RandomGenerator random) {
    this.writer =
        new MessageWriter(
            new Model(log),
            announcer,
            limits,
            1 << 24,
            new Timing() {
              @Override
              public long nanoTime() {
                return time.nanoTime();
              }

              @Override
              public Future<Void> pause(Duration duration) {
                return time.pause(duration);
              }
            },
            new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1), random));
  }

  public Future<Sent> append(Draft draft) {
    return writer.append(draft);
  }

  public Future<Changed> change(MessageChange change) {
    return writer.change(change);
  }

  public Future<EnvelopeSent> put(EnvelopeDraft draft) {
    return writer.put(draft);
  }

  private record Model(Log log) implements MessageLog {
    @Override
    public Future<Void> connect() {
      return log.connect();
    }

    @Override
    public boolean connected() {
      return log.connected();
    }

    @Override
    public Epoch epoch() {
      return log.epoch();
    }

    @Override
    public Future<List<Outcome>> append(List<Draft> group) {
      return log.append(group)
          .map(
              verdicts ->
                  verdicts.stream()
                      .map(v -> Outcome.of(v.outcome(), v.seq(), v.rev(), v.ts(), 0, null))
                      .toList());
    }

    @Override
    public Future<List<ChangeOutcome>> change(List<MessageChange> run) {
      return log.change(run).map(verdicts -> verdicts.stream().map(Model::outcome).toList());
    }

    private static ChangeOutcome outcome(ChangeVerdict verdict) {
      Message message = verdict.message();
      if (message == null) {
        return new ChangeOutcome.Refused(StoredRefusal.of(verdict.outcome(), 0));
      }
      return verdict.outcome().equals("made")
          ? new ChangeOutcome.Made(new Rev(verdict.rev()), verdict.ts(), true, message)
          : new ChangeOutcome.Known(new Rev(verdict.rev()), message);
    }

    @Override
    public Future<List<Event>> find(List<Draft> group) {
      return log.find(group);
    }

    @Override
    public Future<List<Event>> findChanges(List<MessageChange> run) {
      return log.findChanges(run);
    }

    @Override
    public Future<List<EnvelopeOutcome>> put(List<EnvelopeDraft> group) {
      return log.put(group);
    }

    @Override
    public Future<Void> bury(EnvelopeDraft draft, String reason) {
      return Future.succeededFuture();
    }

    @Override
    public Future<List<Event>> findPut(List<EnvelopeDraft> group) {
      return log.findPut(group);
    }

    @Override
    public Future<Set<RoomId>> locked(Collection<RoomId> rooms) {
      return log.locked(rooms);
    }

    @Override
    public Future<Void> close() {
      return Future.failedFuture(Refusal.unavailable("nobody closes a simulated writer"));
    }
  }
}
