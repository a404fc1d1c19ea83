package io.confab.simulation;

import io.confab.feed.Event;
import io.confab.feed.RecentEvents;
import io.confab.feed.SealedEvent;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The recent window of all rooms as nodes see it: what is added may be lost or arrive late, a
/// newer state of a message takes the place of an older one, and only what has no hole is given.
final class ModelWindow {
  private static final int SIZE = 30;
  private static final int LARGEST = 12;

  private final SimWorld world;
  private final Map<RoomId, TreeMap<Rev, Event>> rooms = new HashMap<>();

  ModelWindow(SimWorld world) {
    this.world = world;
  }

  /// Everything in it is lost.
  void empty() {
    rooms.clear();
  }

  RecentEvents of(SimNode node) {
    return new RecentEvents() {
      @Override
      public int size() {
        return SIZE;
      }

      @Override
      public void add(List<SealedEvent> events) {
        if (node.passes() && !world.dice().chance(world.exchange().loss())) {
          world
              .scheduler()
              .after(
                  world.dice().millis(0.1, 3),
                  () -> {
                    if (isReached(node)) {
                      events.forEach(each -> put(each.event()));
                    }
                  });
        }
      }

      @Override
      public Future<List<Event>> read(RoomId room, Span span, Epoch epoch) {
        Promise<List<Event>> promise = Promise.promise();
        node.after(
            world.dice().millis(0.1, 2),
            () -> {
              List<Event> found = isReached(node) ? part(room, span, epoch) : List.of();
              node.after(world.dice().millis(0.1, 2), () -> promise.complete(found));
            });
        return promise.future();
      }
    };
  }

  private boolean isReached(SimNode node) {
    return world.exchange().isUp() && !node.isAlone();
  }

  private void put(Event event) {
    TreeMap<Rev, Event> room = rooms.computeIfAbsent(event.room(), _ -> new TreeMap<>());
    Epoch there = room.isEmpty() ? event.epoch() : room.lastEntry().getValue().epoch();
    if (there.isAfter(event.epoch())) {
      return;
    }
    if (event.epoch().isAfter(there)) {
      room.clear();
    }
    room.merge(event.rev(), event, ModelWindow::newer);
    while (room.size() > SIZE) {
      room.pollFirstEntry();
    }
  }

  private static Event newer(Event there, Event added) {
    return there.subject() instanceof Event.AboutMessage old
            && added.subject() instanceof Event.AboutMessage other
            && old.version().isAfter(other.version())
        ? there
        : added;
  }

  /// The answer of a read holds few events, as if they were large.
  private List<Event> part(RoomId room, RecentEvents.Span span, Epoch epoch) {
    List<Event> run = new ArrayList<>();
    TreeMap<Rev, Event> there = rooms.getOrDefault(room, new TreeMap<>());
    for (Rev rev = span.upTo(); rev.isAfter(span.after()); rev = new Rev(rev.value() - 1)) {
      Event event = there.get(rev);
      if (event == null || !event.epoch().equals(epoch)) {
        break;
      }
      run.addFirst(event);
    }
    return run.subList(0, Math.min(run.size(), Math.min(span.most(), LARGEST)));
  }
}
