package io.confab.queue;

import io.confab.bus.BusMessage;
import io.confab.postgres.Database;
import io.confab.queue.EnvelopeCommand.ReadDeliveries;
import io.vertx.core.Future;

/// Answers what clients ask about what they sent to sealed rooms.
public final class EnvelopeHandler {
  private final DeliveryStore deliveries;

  public EnvelopeHandler(Database database) {
    this.deliveries = new DeliveryStore(database);
  }

  public Future<? extends BusMessage> handle(EnvelopeCommand<?> command) {
    return switch (command) {
      case ReadDeliveries read -> deliveries.read(read);
    };
  }
}
