package io.confab.message;

import io.confab.feed.Announcer;
import io.confab.feed.Announcer.Restatement;
import io.confab.feed.Event;
import io.confab.message.WriterQueue.Changing;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/// Edits and deletions that are made together.
final class ChangeCall implements LogCall<Changing, ChangeOutcome> {
  private final MessageLog log;
  private final Announcer announcer;

  ChangeCall(MessageLog log, Announcer announcer) {
    this.log = log;
    this.announcer = announcer;
  }

  @Override
  public Future<List<ChangeOutcome>> store(List<Changing> run) {
    return log.change(changes(run));
  }

  @Override
  public void answer(List<Changing> run, List<ChangeOutcome> outcomes) {
    for (int i = 0; i < run.size(); i++) {
      run.get(i).answer().handle(outcomes.get(i).answer());
    }
  }

  @Override
  public void announce(List<Changing> run, List<ChangeOutcome> outcomes) {
    List<Restatement> made = new ArrayList<>();
    for (int i = 0; i < run.size(); i++) {
      if (outcomes.get(i) instanceof ChangeOutcome.Made change) {
        made.add(change.restatement(run.get(i).change(), log.epoch()));
      }
    }
    if (!made.isEmpty()) {
      announcer.restate(made);
    }
  }

  @Override
  public Future<List<Event>> find(List<Changing> run) {
    return log.findChanges(changes(run));
  }

  private static List<MessageChange> changes(List<Changing> run) {
    return run.stream().map(Changing::change).toList();
  }
}
