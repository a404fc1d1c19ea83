package io.confab.seat;

import io.confab.bus.Bus;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/// Serves one lane of the seats.
public final class SeatVerticle extends VerticleBase {
  private final Bus bus;
  private final int lane;
  private final SeatHandler handler;

  public SeatVerticle(Bus bus, int lane, SeatHandler handler) {
    this.bus = bus;
    this.lane = lane;
    this.handler = handler;
  }

  @Override
  public Future<?> start() {
    return bus.serve(SeatCommand.ADDRESS, lane, handler::handle);
  }
}
