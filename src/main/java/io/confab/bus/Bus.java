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
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
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

  private static final long LOCAL_MS = 10_000;

  private static final Duration WARNING_PAUSE = Duration.ofMinutes(1);

  private final AtomicLong forgedAt = new AtomicLong();
  private final AtomicLong unansweredAt = new AtomicLong();
  private final EventBus eventBus;
  private final Peers peers;
  private final Consumer<BusSide> received;
  private final DeliveryOptions local = options().setLocalOnly(true).setSendTimeout(LOCAL_MS);
  private final DeliveryOptions remote = options();

  /// The bus of a node that speaks with no other.
  public Bus(Vertx vertx, Peers peers) {
    this(vertx, peers, BusKey.ofThisProcess(), _ -> {});
  }

  /// Registers the codec: one bus for each Vert.x instance.
  ///
  /// @param key seals what goes to other nodes
  /// @param received hears of each command and announcement that came, once for each of its
  ///     listeners; not of answers, nor of what is forged
  public Bus(Vertx vertx, Peers peers, BusKey key, Consumer<BusSide> received) {
    BusSeal seal = new BusSeal(key, InstantSource.system());
    this.eventBus = vertx.eventBus().registerCodec(new EnvelopeCodec(seal));
    this.peers = peers;
    this.received = received;
  }

  private static DeliveryOptions options() {
    return new DeliveryOptions().setCodecName(EnvelopeCodec.NAME);
  }

  private static DeliveryOptions remote(Duration patience) {
    return options().setSendTimeout(patience.toMillis());
  }

  @Override
  @SuppressWarnings("unchecked") // a command is answered with its R or refused
  public <R extends BusMessage> Future<R> request(Command<R> command) {
    Address<?> address = command.address();
    Peer peer = peers.serving(address.role()).orElse(null);
    if (peer == null) {
      return Future.failedFuture(Refusal.unavailable("no node serves " + address.role().wire()));
    }
    String name = consumerName(address, command.lane().among(peer.lanesOf(address.role())), peer);
    return eventBus
        .request(
            name,
            new Envelope(name, command),
            peers.isLocal(peer) ? local : remote(command.patience()))
        .recover(
            failure -> {
              if (!peers.isLocal(peer)) {
                warn(unansweredAt, "Node {} does not answer: {}", peer.id(), failure.toString());
              }
              return Future.failedFuture(Refusal.unavailable("no answer in time"));
            })
        .map(message -> (R) answerOf(message));
  }

  private static BusMessage answerOf(Message<?> message) {
    BusMessage answer = Envelope.of(message).content();
    if (answer instanceof Refused refused) {
      throw refused.refusal();
    }
    return answer;
  }

  /// Serves one lane of an address on this node, on the calling context.
  public <C extends Command<?>> Future<Void> serve(
      Address<C> address, int lane, Function<C, Future<? extends BusMessage>> handler) {
    String name = consumerName(address, lane, peers.local());
    MessageConsumer<Envelope> consumer = eventBus.consumer(name);
    consumer.handler(message -> ifOurs(message, (C command) -> answer(message, command, handler)));
    return consumer.completion();
  }

  /// Drops a forged message and answers nothing.
  @SuppressWarnings("unchecked") // an address gets the messages of its family
  private <M extends BusMessage> void ifOurs(Message<?> message, Consumer<M> taken) {
    Envelope envelope;
    try {
      envelope = Envelope.of(message);
    } catch (ForgedMessageException forged) {
      warn(forgedAt, "A message to {} is dropped: {}", message.address(), forged.toString());
      return;
    }
    received.accept(envelope.from());
    taken.accept((M) envelope.content());
  }

  /// At most once a minute, as it may happen without end.
  private static void warn(AtomicLong warnedAt, String text, Object... what) {
    long now = System.nanoTime();
    long last = warnedAt.get();
    if ((last == 0 || now - last >= WARNING_PAUSE.toNanos()) && warnedAt.compareAndSet(last, now)) {
      LOG.warn(text, what);
    }
  }

  private <C extends Command<?>> void answer(
      Message<?> message, C command, Function<C, Future<? extends BusMessage>> handler) {
    Future<? extends BusMessage> answer;
    try {
      answer = handler.apply(command);
    } catch (RuntimeException failure) {
      answer = Future.failedFuture(failure);
    }
    answer.onComplete(
        reply -> reply(message, reply),
        failure -> {
          Refusal refusal = Refused.refusalFor(failure);
          if (refusal != failure) {
            String name = command.getClass().getSimpleName();
            LOG.error("{} met {}", name, refusal.detail(), failure);
          }
          reply(message, Refused.of(refusal));
        });
  }

  private void reply(Message<?> message, BusMessage answer) {
    message.reply(new Envelope(message.replyAddress(), answer), local);
  }

  /// Publishes to all subscribers, on every node that is reached, this one too. Never waits; the
  /// sender does not learn whom it reached.
  public <M extends BusMessage> void publish(Topic<M> topic, M message) {
    eventBus.publish(topic.name(), new Envelope(topic.name(), message), remote);
  }

  /// Receives what is published, on the calling context. Once in a process for each topic: each
  /// subscriber would open the message that came from another node, which can be done once.
  public <M extends BusMessage> Future<Void> subscribe(Topic<M> topic, Consumer<M> listener) {
    MessageConsumer<Envelope> consumer = eventBus.consumer(topic.name());
    consumer.handler(message -> ifOurs(message, listener));
    return consumer.completion();
  }

  private static String consumerName(Address<?> address, int lane, Peer peer) {
    return address.name() + "." + lane + "@" + peer.id() + "/" + peer.process();
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
