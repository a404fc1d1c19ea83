package io.confab.simulation;

import io.confab.feed.Event;
import io.confab.feed.RecentEvents;
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

  private final World world;
  private final Map<RoomId, TreeMap<Rev, Event>> rooms = new HashMap<>();

  ModelWindow(World world) {
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
      public void add(List<Event> events) {
        if (node.passes() && !world.dice().chance(world.exchange().loss())) {
          world
              .scheduler()
              .after(
                  world.dice().millis(0.1, 3),
                  () -> {
                    if (world.exchange().isUp()) {
                      events.forEach(ModelWindow.this::put);
                    }
                  });
        }
      }

      @Override
      public Future<List<Event>> read(RoomId room, Rev after, Rev upTo, Epoch epoch) {
        Promise<List<Event>> promise = Promise.promise();
        node.after(
            world.dice().millis(0.1, 2),
            () -> {
              List<Event> found = world.exchange().isUp() ? unbroken(room, after, upTo) : List.of();
              node.after(world.dice().millis(0.1, 2), () -> promise.complete(found));
            });
        return promise.future();
      }
    };
  }

  private void put(Event event) {
    TreeMap<Rev, Event> room = rooms.computeIfAbsent(event.room(), _ -> new TreeMap<>());
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

  private List<Event> unbroken(RoomId room, Rev after, Rev upTo) {
    List<Event> run = new ArrayList<>();
    TreeMap<Rev, Event> there = rooms.getOrDefault(room, new TreeMap<>());
    for (Rev rev = upTo; rev.isAfter(after); rev = new Rev(rev.value() - 1)) {
      Event event = there.get(rev);
      if (event == null) {
        break;
      }
      run.addFirst(event);
    }
    return run;
  }
}
