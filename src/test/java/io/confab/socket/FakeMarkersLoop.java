package io.confab.socket;

import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/// Notes what the markers of a session ask of their event loop.
final class FakeMarkersLoop implements SessionMarkers.Loop {
  private final Requests bus;
  final List<RoomId> recounted = new ArrayList<>();
  int compares;

  FakeMarkersLoop(Requests bus) {
    this.bus = bus;
  }

  @Override
  public <R extends BusMessage> Future<R> request(Command<R> command) {
    return bus.request(command);
  }

  @Override
  public void compareAgain() {
    compares++;
  }

  @Override
  public void recount(RoomId room) {
    recounted.add(room);
  }
}
