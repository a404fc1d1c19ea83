package io.confab.presence;

import io.confab.bus.BusMessage;
import io.confab.bus.Done;
import io.vertx.core.Future;

/// Carries out presence commands.
public final class PresenceHandler {
  private final RedisConnectionRegistry registry;

  public PresenceHandler(RedisConnectionRegistry registry) {
    this.registry = registry;
  }

  public Future<? extends BusMessage> handle(PresenceCommand<?> command) {
    return switch (command) {
      case PresenceCommand.Register(var connections) -> registry.register(connections);
      case PresenceCommand.Unregister(var connection) ->
          registry.unregister(connection).map(Done.DONE);
      case PresenceCommand.FindConnections(var account) -> registry.find(account);
    };
  }
}
