package io.confab.message;

import io.confab.feed.Event;
import io.confab.metrics.Meters;
import io.confab.protocol.Epoch;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeOutcome;
import io.confab.time.Timing;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// A log that measures the group commits of another one.
record MeteredLog(MessageLog log, Timing timing, Meters meters) implements MessageLog {
  @Override
  public Future<List<Outcome>> append(List<Draft> group) {
    long began = timing.nanoTime();
    return log.append(group)
        .onSuccess(
            _ -> meters.groupStored(group.size(), Duration.ofNanos(timing.nanoTime() - began)));
  }

  @Override
  public Future<List<ChangeOutcome>> change(List<MessageChange> run) {
    return log.change(run);
  }

  @Override
  public Future<List<EnvelopeOutcome>> put(List<EnvelopeDraft> group) {
    long began = timing.nanoTime();
    return log.put(group)
        .onSuccess(
            _ -> meters.groupStored(group.size(), Duration.ofNanos(timing.nanoTime() - began)));
  }

  @Override
  public Future<Void> bury(EnvelopeDraft draft, String reason) {
    meters.letterDied(); // also where it cannot be kept
    return log.bury(draft, reason);
  }

  @Override
  public Future<List<Event>> findPut(List<EnvelopeDraft> group) {
    return log.findPut(group);
  }

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
  public Future<List<Event>> find(List<Draft> group) {
    return log.find(group);
  }

  @Override
  public Future<List<Event>> findChanges(List<MessageChange> run) {
    return log.findChanges(run);
  }

  @Override
  public Future<Set<RoomId>> locked(Collection<RoomId> rooms) {
    return log.locked(rooms);
  }

  @Override
  public Future<Void> close() {
    return log.close();
  }
}
