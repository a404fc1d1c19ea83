package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Visibility;
import io.confab.feed.Visibility.Span;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Rev;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.ServerFrame.RoomGap;
import io.confab.socket.RoomStream.Reader;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// In a room that is read inside only. Everything is on one thread.
class PassedEventsTest {
  private static final AccountId ANN = new AccountId(1);
  private static final RoomId ROOM = new RoomId(1);
  private static final int MOST_REPLAYED = 10;

  private final FakeRooms rooms = new FakeRooms();
  private final FakeOutbound out = new FakeOutbound();
  private final PassedEvents passed =
      new PassedEvents(ANN, rooms, MOST_REPLAYED, out, new OneSession());

  /// Nobody is inside, and what fails is not tried again.
  private static final class OneSession implements PassedEvents.Owner, RoomStream.Owner {
    @Override
    public Future<Optional<Room>> look(RoomId room) {
      return Future.succeededFuture(Optional.empty());
    }

    @Override
    public Future<Void> untilDone(Supplier<Future<?>> attempt) {
      return attempt.get().mapEmpty();
    }

    @Override
    public boolean isClosed() {
      return false;
    }

    @Override
    public Epoch epoch() {
      return FakeRooms.EPOCH;
    }

    @Override
    public void ended(RoomStream stream, LeaveReason reason) {}

    @Override
    public void dropped(RoomStream stream) {}

    @Override
    public void behind(RoomStream stream) {}

    @Override
    public void live(RoomStream stream) {}

    @Override
    public boolean isInside(RoomId room) {
      return false;
    }

    @Override
    public void stands(RoomStream stream) {}

    @Override
    public void goesOn(RoomStream stream) {}

    @Override
    public void changed(RoomStream stream, Seq seq) {}
  }

  /// One that stands still, with more before it than is replayed.
  private RoomStream outside() {
    Reader reader =
        new Reader(ANN, new Rev(1), Visibility.ALL, new SeatRule(new Rev(1), true, true));
    RoomStream stream = new RoomStream(reader, ROOM, out, new OneSession());
    stream.subscribed(rooms.feeds.attach(ROOM, stream));
    stream.open(new Rev(1));
    stream.catchUp(rooms);
    assertThat(stream.isOutside()).isTrue();
    return stream;
  }

  @Test
  void aStreamGoesOnWhateverBecameOfTheOneBeforeIt() {
    rooms.store(ROOM, 30);
    rooms.visibility = new Visibility(List.of(new Span(new Rev(1), null, new Seq(1), null)));
    rooms.holdsVisibilities = true;
    RoomStream before = outside();
    passed.goOn(before);
    before.end();
    RoomStream now = outside();
    passed.goOn(now);
    passed.goOn(now);
    rooms.answerVisibilities();
    assertThat(out.sent).containsExactly(new RoomGap(ROOM, FakeRooms.EPOCH, new Rev(30)));
    assertThat(now.isOutside()).isFalse();
  }
}
