package io.confab.feed;

import io.confab.bus.Requests;
import io.confab.feed.EventCommand.EventPage;
import io.confab.feed.EventCommand.Positions;
import io.confab.feed.EventCommand.ReadEvents;
import io.confab.feed.EventCommand.ReadPositions;
import io.confab.feed.EventCommand.ReadVisibility;
import io.confab.feed.EventCommand.Visibilities;
import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import java.util.List;

/// Asks the nodes that have the persistence role. The epoch that an answer tells is seen.
public final class BusEventSource implements EventSource {
  private final Requests bus;
  private final DatabaseEpoch epoch;

  public BusEventSource(Requests bus, DatabaseEpoch epoch) {
    this.bus = bus;
    this.epoch = epoch;
  }

  @Override
  public Future<EventPage> read(RoomId room, Rev after, int limit) {
    return bus.request(new ReadEvents(room, after, limit))
        .onSuccess(page -> epoch.saw(page.epoch()));
  }

  @Override
  public Future<Positions> positions(List<RoomId> rooms) {
    return bus.request(new ReadPositions(rooms))
        .onSuccess(positions -> epoch.saw(positions.epoch()));
  }

  @Override
  public Future<Visibilities> visibilities(AccountId account, List<RoomId> rooms) {
    return bus.request(new ReadVisibility(account, rooms));
  }
}
