package io.confab.terminal;

import io.confab.client.ConfabApi;
import io.confab.client.RoomSignal.SeatInside;
import io.confab.client.RoomSignal.SeatWaiting;
import io.confab.client.RoomSignal.Standing;
import io.confab.protocol.RoomId;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The seat of who has no session, and so has to say again and again that they are there. Blocks
/// while it waits in the line.
final class PipedSeat {
  /// Who is silent for three times as long has lost seat or place.
  private static final Duration CHECK_IN = Duration.ofSeconds(10);

  private final ConfabApi api;
  private final Duration patience;
  private @Nullable RoomId room;
  private long checkedIn;

  /// @param patience how long to stand in the line
  PipedSeat(ConfabApi api, Duration patience) {
    this.api = api;
    this.patience = patience;
  }

  /// Waits until there is a seat.
  ///
  /// @throws IOException when there is none in time; the place is given up
  void take(RoomId where) throws IOException, InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    String place = null;
    while (true) {
      Standing now = api.seats(where).enter(place).await();
      checkedIn = System.nanoTime();
      if (now instanceof SeatInside) {
        room = where;
        return;
      }
      if (System.nanoTime() + CHECK_IN.toNanos() > end) {
        giveUp(where);
        throw new IOException("there was no seat in time");
      }
      if (now instanceof SeatWaiting waiting) {
        place = waiting.place();
      }
      Thread.sleep(CHECK_IN);
    }
  }

  /// Before something is done in the room in which there is a seat.
  void keep(RoomId where) throws IOException, InterruptedException {
    if (where.equals(room) && System.nanoTime() - checkedIn > CHECK_IN.toNanos()) {
      take(where);
    }
  }

  void giveUp(RoomId where) {
    room = null;
    api.seats(where).exit().await();
  }
}
