package io.confab.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import java.util.List;

/// What happened in a room after a position.
///
/// @param recovered false when the server no longer has these events: read history and go on from
///     `rev`
/// @param events frames as on the socket, in the order of their revs
/// @param rev up to where this page goes
public record EventPage(
    Epoch epoch, boolean recovered, List<ObjectNode> events, Rev rev, boolean hasMore) {
  public EventPage {
    events = events == null ? List.of() : List.copyOf(events);
  }
}
