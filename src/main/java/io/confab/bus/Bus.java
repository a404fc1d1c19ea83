package io.confab.bus;

import io.confab.config.NodeRole;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries commands to the verticles that serve them, and their answers or refusals back.
///
/// A node that has the role serves itself; else all commands of a role go to one peer for as
/// long as it lives, so that the sends of one session arrive in order. Commands of one lane from
/// one event loop arrive in the order in which they were requested.
public final class Bus implements Requests {
  private static final Logger LOG = LoggerFactory.getLogger(Bus.class);
  private static final long TIMEOUT_MS = 10_000;

  private final EventBus eventBus;
  private final Peers peers;
  private final DeliveryOptions local = options().setLocalOnly(true);
  private final DeliveryOptions remote = options();

  /// Registers the codec: one bus for each Vert.x instance.
  public Bus(Vertx vertx, Peers peers) {
    this.eventBus = vertx.eventBus().registerCodec(new RecordCodec());
    this.peers = peers;
  }

  private static DeliveryOptions options() {
    return new DeliveryOptions().setCodecName(RecordCodec.NAME).setSendTimeout(TIMEOUT_MS);
  }

  @Override
  public <R extends BusMessage> Future<R> request(Command<R> command) {
    Address<?> address = command.address();
    Peer peer = peers.serving(address.role()).orElse(null);
    if (peer == null) {
      return Future.failedFuture(Refusal.unavailable("no node serves " + address.role().wire()));
    }
    String name = consumerName(address, command.lane().among(peer.lanesOf(address.role())), peer);
    return eventBus
        .<R>request(name, command, peers.isLocal(peer) ? local : remote)
        .map(Message::body)
        .recover(failure -> Future.failedFuture(BusFailure.refusalOf(failure)));
  }

  /// Serves one lane of an address on this node, on the calling context.
  public <C extends Command<?>> Future<Void> serve(
      Address<C> address, int lane, Function<C, Future<? extends BusMessage>> handler) {
    String name = consumerName(address, lane, peers.local());
    MessageConsumer<C> consumer = eventBus.consumer(name);
    consumer.handler(message -> answer(message, handler));
    return consumer.completion();
  }

  private <C> void answer(Message<C> message, Function<C, Future<? extends BusMessage>> handler) {
    Future<? extends BusMessage> answer;
    try {
      answer = handler.apply(message.body());
    } catch (RuntimeException failure) {
      answer = Future.failedFuture(failure);
    }
    answer.onComplete(
        reply -> message.reply(reply, local),
        failure -> {
          Refusal refusal = BusFailure.refuse(failure);
          if (refusal != failure) {
            String command = message.body().getClass().getSimpleName();
            LOG.error("{} met {}", command, refusal.detail(), failure);
          }
          BusFailure.fail(message, refusal);
        });
  }

  /// Publishes to all subscribers, on every node that is reached, this one too. Never waits; the
  /// sender does not learn whom it reached.
  public <M extends BusMessage> void publish(Topic<M> topic, M message) {
    eventBus.publish(topic.name(), message, remote);
  }

  /// Receives what is published, on the calling context.
  public <M extends BusMessage> Future<Void> subscribe(Topic<M> topic, Consumer<M> listener) {
    MessageConsumer<M> consumer = eventBus.consumer(topic.name());
    consumer.handler(message -> listener.accept(message.body()));
    return consumer.completion();
  }

  private static String consumerName(Address<?> address, int lane, Peer peer) {
    return address.name() + "." + lane + "@" + peer.id();
  }

  /// This node.
  public NodeId node() {
    return peers.local().id();
  }

  /// How many lanes of a role this node serves.
  public int localLanes(NodeRole role) {
    return peers.local().lanesOf(role);
  }
}
