package io.confab.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.time.Duration;

/// Something that [SessionRules] decided to do. Actions are carried out in the order in which they
/// are given.
sealed interface Action {

  /// Open a socket; answered by `opened` or `unopened`.
  record Connect(int server) implements Action {}

  /// Write a frame. A `hello` gets the token of the sign-in on its way.
  record Transmit(ObjectNode frame) implements Action {}

  /// Drop the socket; whatever still arrives on it is ignored.
  record HangUp() implements Action {}

  /// Get new tokens; answered by `tokenRenewed`, `tokenRefused` or `tokenUnavailable`.
  record RenewToken() implements Action {}

  /// Read something of a room. The answer is for the log that asked, not for a later log of the
  /// room.
  sealed interface Read extends Action {
    RoomId room();

    /// The number of the log that asks.
    int log();
  }

  /// Read the newest page; answered by `historyRead` or `readFailed`.
  record ReadHistory(RoomId room, int log) implements Read {}

  /// Read what happened after a rev; answered by `eventsRead` or `readFailed`.
  record ReadEvents(RoomId room, int log, Epoch epoch, Rev after) implements Read {}

  /// List all rooms; answered by `roomsListed` or `listFailed`.
  record ListRooms() implements Action {}

  record StateChanged(ConnectionState state, String why, Duration retryIn) implements Action {}

  record Added(RoomPosition room) implements Action {}

  record Removed(RoomId room, String reason) implements Action {}

  record Update(RoomUpdate update) implements Action {}

  record Signal(RoomSignal signal) implements Action {}

  record Watched(PresenceSignal signal) implements Action {}

  record Queue(QueueEvent event) implements Action {}

  /// The program is not inside a room that it wanted to enter, and has no place in the line.
  record NotEntered(RoomId room, ApiException refusal) implements Action {}

  record Stored(SentMessage message) implements Action {}

  /// The send was refused for now, and is made again.
  ///
  /// @param until a time of the clock of the rules
  record Delayed(ClientId clientId, ApiException refusal, long until) implements Action {}

  record Failed(ClientId clientId, ApiException refusal) implements Action {}
}
