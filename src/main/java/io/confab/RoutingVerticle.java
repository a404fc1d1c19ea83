package io.confab;

import io.confab.account.AccountCommand;
import io.confab.account.outside.BearerCommand;
import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.key.KeyCommand;
import io.confab.marker.MarkerCommand;
import io.confab.message.MessageCommand;
import io.confab.postgres.Outages;
import io.confab.queue.EnvelopeCommand;
import io.confab.queue.QueueCommand;
import io.confab.room.RoomCommand;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.function.Function;

/// Serves one lane of the commands of clients, from sockets and HTTP alike, by the domain.
public final class RoutingVerticle extends VerticleBase {
  /// The handlers of the domain, one for each family of commands.
  public record Handlers(
      Function<BearerCommand<?>, Future<? extends BusMessage>> bearers,
      Function<AccountCommand<?>, Future<? extends BusMessage>> accounts,
      Function<RoomCommand<?>, Future<? extends BusMessage>> rooms,
      Function<MessageCommand<?>, Future<? extends BusMessage>> messages,
      Function<MarkerCommand<?>, Future<? extends BusMessage>> markers,
      Function<KeyCommand<?>, Future<? extends BusMessage>> keys,
      Function<EnvelopeCommand<?>, Future<? extends BusMessage>> envelopes,
      Function<QueueCommand<?>, Future<? extends BusMessage>> queues) {}

  private final Bus bus;
  private final int lane;
  private final Handlers handlers;

  public RoutingVerticle(Bus bus, int lane, Handlers handlers) {
    this.bus = bus;
    this.lane = lane;
    this.handlers = handlers;
  }

  @Override
  public Future<?> start() {
    return Future.all(
        List.of(
            bus.serve(BearerCommand.ADDRESS, lane, refusing(handlers.bearers())),
            bus.serve(AccountCommand.ADDRESS, lane, refusing(handlers.accounts())),
            bus.serve(RoomCommand.ADDRESS, lane, refusing(handlers.rooms())),
            bus.serve(MessageCommand.ADDRESS, lane, refusing(handlers.messages())),
            bus.serve(MarkerCommand.ADDRESS, lane, refusing(handlers.markers())),
            bus.serve(KeyCommand.ADDRESS, lane, refusing(handlers.keys())),
            bus.serve(EnvelopeCommand.ADDRESS, lane, refusing(handlers.envelopes())),
            bus.serve(QueueCommand.ADDRESS, lane, refusing(handlers.queues()))));
  }

  /// An unreachable database is a refusal, not a bug.
  private static <C> Function<C, Future<? extends BusMessage>> refusing(
      Function<C, Future<? extends BusMessage>> handler) {
    return command ->
        handler.apply(command).<BusMessage>map(reply -> reply).recover(Outages::refuse);
  }
}
