package io.confab.message;

import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.feed.QueuedSend;
import io.confab.message.WriterQueue.Sealing;
import io.confab.postgres.FailureKind;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeOutcome;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends of sealed rooms that are stored together.
final class EnvelopeCall implements LogCall<Sealing, EnvelopeOutcome> {
  private static final Logger LOG = LoggerFactory.getLogger(EnvelopeCall.class);

  private final MessageLog log;
  private final Announcer announcer;
  private final GroupBound bound;

  EnvelopeCall(MessageLog log, Announcer announcer, GroupBound bound) {
    this.log = log;
    this.announcer = announcer;
    this.bound = bound;
  }

  @Override
  public Future<List<EnvelopeOutcome>> store(List<Sealing> group) {
    return log.put(drafts(group))
        .onSuccess(outcomes -> bound.stored(group, outcomes))
        .onFailure(
            failure -> {
              if (FailureKind.tookTooLong(failure)) {
                bound.tookTooLong(group);
              }
            });
  }

  @Override
  public void answer(List<Sealing> group, List<EnvelopeOutcome> outcomes) {
    for (int i = 0; i < group.size(); i++) {
      answer(group.get(i), outcomes.get(i));
    }
  }

  private static void answer(Sealing entry, EnvelopeOutcome outcome) {
    switch (outcome) {
      case EnvelopeOutcome.Stored stored -> entry.answer().complete(stored.sent());
      case EnvelopeOutcome.Duplicate(var sent) -> entry.answer().complete(sent);
      case EnvelopeOutcome.Refused(var reason) -> entry.answer().fail(reason);
    }
  }

  @Override
  public void announce(List<Sealing> group, List<EnvelopeOutcome> outcomes) {
    List<Event> events = new ArrayList<>();
    List<QueuedSend> queued = new ArrayList<>();
    for (EnvelopeOutcome outcome : outcomes) {
      if (outcome instanceof EnvelopeOutcome.Stored stored) {
        if (stored.event() != null) {
          events.add(stored.event());
        }
        queued.addAll(stored.queued());
      }
    }
    if (!events.isEmpty()) {
      announcer.announce(events);
    }
    if (!queued.isEmpty()) {
      announcer.queued(queued);
    }
  }

  /// What only clients understand may stand in what the database says of it, so nothing of that is
  /// told or logged.
  @Override
  public Future<Void> fault(Sealing entry, Throwable failure) {
    String state = FailureKind.state(failure);
    LOG.error("A send of {} cannot be stored: SQLSTATE {}", entry.draft(), state);
    entry.answer().fail(new IllegalStateException("a send cannot be stored: SQLSTATE " + state));
    return log.bury(entry.draft(), state).otherwiseEmpty();
  }

  /// Of those that are stored it is not known any more where they stand in queues: all look.
  @Override
  public Future<List<Event>> find(List<Sealing> group) {
    return log.findPut(drafts(group)).onSuccess(_ -> announcer.untold());
  }

  private static List<EnvelopeDraft> drafts(List<Sealing> group) {
    return group.stream().map(Sealing::draft).toList();
  }
}
