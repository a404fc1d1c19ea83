package io.confab.presence;

import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.function.Function;

/// Serves one lane of the connection registry.
public final class PresenceVerticle extends VerticleBase {
  private final Bus bus;
  private final int lane;
  private final Function<PresenceCommand<?>, Future<? extends BusMessage>> registry;

  public PresenceVerticle(
      Bus bus, int lane, Function<PresenceCommand<?>, Future<? extends BusMessage>> registry) {
    this.bus = bus;
    this.lane = lane;
    this.registry = registry;
  }

  @Override
  public Future<?> start() {
    return bus.serve(PresenceCommand.ADDRESS, lane, registry);
  }
}
