package io.confab.client;

import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A live conversation: follows the rooms of an account in order and without repeats, and sends.
/// Lost connections are made anew by themselves; sends wait meanwhile.
///
/// Calls may come from any thread; the listener is called on one event loop.
public final class ConfabClient {
  private final ConfabApi api;
  private final ClientOptions options;
  private final ClientListener listener;

  /// @param api whose servers and sign-in are used
  public ConfabClient(ConfabApi api, ClientOptions options, ClientListener listener) {
    this.api = api;
    this.options = options;
    this.listener = listener;
  }

  /// Connects and keeps connected. Done when rooms are followed for the first time; fails when
  /// the client stopped before.
  public Future<Void> connect() {
    return Future.failedFuture(
        ApiException.local(ApiException.CLOSED, "" + api.addresses().count() + listener));
  }

  /// Where this client stands in each room that it follows.
  public Future<List<RoomPosition>> rooms() {
    return Future.failedFuture(
        ApiException.local(ApiException.CLOSED, "" + api.addresses().count() + listener));
  }

  /// Sends a message, at once or when connected; messages to one room keep their order.
  public PendingSend send(RoomId room, String body) {
    return send(room, body, null, null);
  }

  /// @param replyTo a message of the room
  public PendingSend send(RoomId room, String body, @Nullable Seq replyTo, @Nullable String topic) {
    return new PendingSend(
        new Outgoing(room, new ClientId("" + options.queueLimit()), body, replyTo, topic));
  }

  /// Edits a message of one's own; tried again when the answer is lost.
  public Future<ChatMessage> edit(RoomId room, Seq seq, String body) {
    return Future.failedFuture(
        ApiException.local(ApiException.CLOSED, "" + api.addresses().count() + listener));
  }

  /// Deletes a message; one that is deleted already is taken as done.
  public Future<Void> delete(RoomId room, Seq seq) {
    return Future.failedFuture(
        ApiException.local(ApiException.CLOSED, "" + api.addresses().count() + listener));
  }

  /// Signs off. Sends that are not settled fail as `closed`; what becomes of them is not known.
  public Future<Void> close() {
    return Future.failedFuture(
        ApiException.local(ApiException.CLOSED, "" + api.addresses().count() + listener));
  }
}
