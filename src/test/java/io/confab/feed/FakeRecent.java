package io.confab.feed;

import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/// A recent window in memory that keeps all it gets, and answers when the test says so.
public final class FakeRecent implements RecentEvents {
  public final List<Event> added = new ArrayList<>();
  public final List<Promise<List<Event>>> asked = new ArrayList<>();
  public final List<String> reads = new ArrayList<>();
  public boolean held;

  /// How often it was given something.
  public int additions;

  /// So many events of a read are as large as an answer may be.
  public int largest = Integer.MAX_VALUE;

  @Override
  public int size() {
    return 200;
  }

  @Override
  public void add(List<SealedEvent> events) {
    addAll(List.of(events));
  }

  @Override
  public void addAll(List<List<SealedEvent>> calls) {
    additions++;
    calls.forEach(this::keep);
  }

  private void keep(List<SealedEvent> events) {
    events.forEach(each -> added.add(each.event()));
  }

  @Override
  public Future<List<Event>> read(RoomId room, Span span, Epoch epoch) {
    reads.add(span.after() + ".." + span.upTo());
    Promise<List<Event>> answer = Promise.promise();
    asked.add(answer);
    if (!held) {
      answer.complete(part(run(room, span.after(), span.upTo()), span.most()));
    }
    return answer.future();
  }

  private List<Event> part(List<Event> run, int most) {
    return run.subList(0, Math.min(run.size(), Math.min(most, largest)));
  }

  private List<Event> run(RoomId room, Rev after, Rev upTo) {
    List<Event> run = new ArrayList<>();
    for (Event event : added) {
      if (event.room().equals(room) && event.rev().isAfter(after) && !event.rev().isAfter(upTo)) {
        run.add(event);
      }
    }
    return run.isEmpty() || !run.getLast().rev().equals(upTo) ? List.of() : run;
  }
}
