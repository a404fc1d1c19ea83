package io.confab.socket;

import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.List;

/// Notes what the markers of a session ask of their event loop.
final class FakeMarkersLoop implements SessionMarkers.Loop {
  final List<RoomId> recounted = new ArrayList<>();
  int compares;

  @Override
  public void compareAgain() {
    compares++;
  }

  @Override
  public void recount(RoomId room) {
    recounted.add(room);
  }
}
