package io.confab.message;

import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.feed.EventCommand;
import io.confab.feed.EventCommand.ReadEvents;
import io.confab.feed.EventCommand.ReadPositions;
import io.confab.feed.EventCommand.ReadVisibility;
import io.confab.feed.EventStore;
import io.confab.feed.VisibilityStore;
import io.confab.message.WriteCommand.Change;
import io.confab.message.WriteCommand.Put;
import io.confab.message.WriteCommand.Send;
import io.confab.postgres.Outages;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;

/// Hosts the writers of one lane of rooms, and reads the logs of rooms for feeds.
public final class PersistenceVerticle extends VerticleBase {
  private final Bus bus;
  private final int lane;
  private final MessageWriters writers;
  private final EventStore events;
  private final VisibilityStore visibilities;
  private final Promise<Writers> own = Promise.promise();

  private record Writers(MessageWriter plain, MessageWriter sealed) {}

  /// @param writers makes the writers, which belong to the event loop of this verticle
  public PersistenceVerticle(
      Bus bus, int lane, MessageWriters writers, EventStore events, VisibilityStore visibilities) {
    this.bus = bus;
    this.lane = lane;
    this.writers = writers;
    this.events = events;
    this.visibilities = visibilities;
  }

  @Override
  public Future<?> start() {
    Writers made = new Writers(writers.plain(vertx), writers.sealed(vertx));
    own.complete(made);
    return Future.all(
        bus.serve(WriteCommand.ADDRESS, lane, command -> write(made, command)),
        bus.serve(EventCommand.ADDRESS, lane, this::read));
  }

  private static Future<? extends BusMessage> write(Writers writers, WriteCommand<?> command) {
    return switch (command) {
      case Send(var draft) -> writers.plain().append(draft);
      case Change(var change) -> writers.plain().change(change);
      case Put(var draft) -> writers.sealed().put(draft);
    };
  }

  private Future<? extends BusMessage> read(EventCommand<?> command) {
    return switch (command) {
      case ReadEvents(var room, var after, var limit) ->
          events.read(room, after, limit).recover(Outages::refuse);
      case ReadPositions(var rooms) -> events.positions(rooms).recover(Outages::refuse);
      case ReadVisibility(var account, var rooms) ->
          visibilities.read(account, rooms).recover(Outages::refuse);
    };
  }

  /// Finishes what was accepted.
  @Override
  public Future<?> stop() {
    return own.future()
        .compose(writers -> Future.join(writers.plain().close(), writers.sealed().close()));
  }
}
