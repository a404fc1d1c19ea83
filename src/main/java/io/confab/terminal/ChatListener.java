package io.confab.terminal;

import io.confab.client.ClientListener;
import io.confab.client.ConnectionState;
import io.confab.client.PresenceSignal;
import io.confab.client.QueueEvent;
import io.confab.client.RoomPosition;
import io.confab.client.RoomSignal;
import io.confab.client.RoomUpdate;
import io.confab.protocol.RoomId;
import java.time.Duration;
import java.util.function.Supplier;

/// Hands on what a client tells to the thread of the chat, so that the client's event loop never
/// waits.
final class ChatListener implements ClientListener {
  private final ChatQueue queue;
  private final ConnectionNotice connection;
  private final Recount recount;
  private final Signs signs;
  private final Around around;
  private final Supplier<ChatEvents> events;
  private volatile boolean stopped;

  /// @param events is asked for once something is told
  ChatListener(
      ChatQueue queue,
      ConnectionNotice connection,
      Recount recount,
      Signs signs,
      Around around,
      Supplier<ChatEvents> events) {
    this.queue = queue;
    this.connection = connection;
    this.recount = recount;
    this.signs = signs;
    this.around = around;
    this.events = events;
  }

  /// Whether the connection has ended for good.
  boolean isStopped() {
    return stopped;
  }

  @Override
  public void connectionChanged(ConnectionState state, String why, Duration retryIn) {
    stopped = state == ConnectionState.STOPPED;
    queue.notice(() -> connection.changed(state, why, retryIn));
    if (state == ConnectionState.LIVE) {
      queue.update(recount::ask);
    }
  }

  @Override
  public void roomAdded(RoomPosition room) {
    queue.add(
        () -> {
          events.get().added(room);
          recount.ask();
        });
  }

  @Override
  public void roomRemoved(RoomId room, String reason) {
    signs.receipts().end(room);
    queue.add(
        () -> {
          around.left(room);
          events.get().removed(room, reason);
        });
  }

  @Override
  public void present(PresenceSignal signal) {
    around.take(signal).ifPresent(who -> queue.update(() -> events.get().present(who)));
  }

  @Override
  public void queued(QueueEvent event) {
    events.get().sealed().queued(event);
  }

  @Override
  public void signalled(RoomSignal signal) {
    events.get().sealed().signalled(signal);
    if (signal instanceof RoomSignal.OfSeat seat) {
      queue.add(() -> events.get().seat(seat));
    } else if (signs.take(signal)) {
      queue.update(() -> events.get().signalled(signal));
    }
  }

  /// What the updates of the client bring.
  void updated(RoomUpdate update) {
    events.get().sealed().updated(update);
    queue.update(() -> events.get().updated(update));
  }
}
