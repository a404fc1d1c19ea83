package io.confab.feed;

import io.confab.feed.EventCommand.EventPage;
import io.confab.feed.EventCommand.Positions;
import io.confab.feed.EventCommand.Visibilities;
import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import java.util.List;

/// Where feeds read what they missed: the truth, from the primary.
public interface EventSource {
  Future<EventPage> read(RoomId room, Rev after, int limit);

  Future<Positions> positions(List<RoomId> rooms);

  Future<Visibilities> visibilities(AccountId account, List<RoomId> rooms);
}
