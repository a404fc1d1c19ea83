package io.confab.message;

import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.message.WriterQueue.Sending;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/// Sends that are stored together.
final class SendCall implements LogCall<Sending, Outcome> {
  private final MessageLog log;
  private final Announcer announcer;

  SendCall(MessageLog log, Announcer announcer) {
    this.log = log;
    this.announcer = announcer;
  }

  @Override
  public Future<List<Outcome>> store(List<Sending> group) {
    return log.append(drafts(group));
  }

  @Override
  public void answer(List<Sending> group, List<Outcome> outcomes) {
    for (int i = 0; i < group.size(); i++) {
      Sending entry = group.get(i);
      entry.answer().handle(outcomes.get(i).answer(entry.draft()));
    }
  }

  @Override
  public void announce(List<Sending> group, List<Outcome> outcomes) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < group.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Stored stored) {
        events.add(Event.of(stored.message(group.get(i).draft()), log.epoch()));
      }
    }
    if (!events.isEmpty()) {
      announcer.announce(events);
    }
  }

  @Override
  public Future<List<Event>> find(List<Sending> group) {
    return log.find(drafts(group));
  }

  private static List<Draft> drafts(List<Sending> group) {
    return group.stream().map(Sending::draft).toList();
  }
}
