package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.QueueEvent;
import io.confab.client.QueuedEnvelope;
import io.confab.client.sealed.Opened;
import io.confab.client.sealed.Position;
import io.confab.client.sealed.Received;
import io.confab.client.sealed.SealedDevice;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Takes what the queue of this device brings: opens it page by page, and acknowledges what is
/// kept.
///
/// While the device is at one page, what comes makes up the next; the server sends no more than it
/// lets be unacknowledged. What cannot be read is rejected before anything behind it is
/// acknowledged, or it would count as read. A page that the device could not keep is not
/// acknowledged, and comes again.
final class QueueDrain {
  private static final String UNDECRYPTABLE = "undecryptable";

  private final QueueCalls queue;
  private final Roster roster;
  private final DeviceThread device;
  private final Consumer<List<Opened>> told;
  private final List<Received> waiting = new ArrayList<>();
  private int connection;
  private boolean busy;
  private boolean astray;

  /// @param told what became of a page, once it is kept
  QueueDrain(QueueCalls queue, Roster roster, DeviceThread device, Consumer<List<Opened>> told) {
    this.queue = queue;
    this.roster = roster;
    this.device = device;
    this.told = told;
  }

  /// Another connection is there; what the last one brought and was not opened comes again on it.
  void due() {
    int mine = ++connection;
    waiting.clear();
    astray = false;
    device
        .ask(SealedDevice::position)
        .onSuccess(
            position -> {
              if (mine == connection) {
                queue.open(
                    position.map(Position::epoch).orElse(null),
                    position.map(Position::queueSeq).orElse(new QueueSeq(0)));
              }
            });
  }

  /// What was kept and not acknowledged, or not rejected, is so now: the answer to it, or the
  /// connection on which it was said, may have been lost.
  void opened(QueueEvent.Opened opened) {
    int mine = connection;
    device
        .ask(
            own -> {
              own.goOn(opened.epoch(), opened.first(), opened.reset());
              return new Standing(own.position(), own.toReject());
            })
        .onSuccess(
            standing -> {
              if (mine == connection) {
                standing.toReject().forEach(seq -> reject(opened.epoch(), seq));
                standing
                    .position()
                    .map(Position::queueSeq)
                    .filter(position -> position.compareTo(opened.first()) >= 0)
                    .ifPresent(position -> queue.acknowledge(opened.epoch(), position));
              }
            });
  }

  private record Standing(Optional<Position> position, List<QueueSeq> toReject) {}

  void came(QueuedEnvelope envelope) {
    waiting.add(received(envelope));
    open();
  }

  /// The server knows that this one cannot be read.
  void rejected(QueueSeq seq) {
    device.tell(own -> own.rejected(seq));
  }

  private void open() {
    if (busy || astray || waiting.isEmpty()) {
      return;
    }
    int mine = connection;
    List<Received> page = List.copyOf(waiting);
    waiting.clear();
    busy = true;
    senders(page)
        .compose(_ -> opened(page))
        .onComplete(
            outcome -> {
              busy = false;
              if (outcome.succeeded()) {
                opened(page.getFirst().epoch(), outcome.result(), mine);
              } else {
                astray |= mine == connection;
              }
              open();
            });
  }

  /// One that the device fails at does not keep it from all behind it.
  private Future<List<Opened>> opened(List<Received> page) {
    return device
        .ask(own -> own.open(page))
        .recover(
            failure ->
                failure instanceof ApiException ? Future.failedFuture(failure) : oneByOne(page));
  }

  private Future<List<Opened>> oneByOne(List<Received> page) {
    List<Opened> opened = new ArrayList<>();
    Future<Void> last = Future.succeededFuture();
    for (Received one : page) {
      last =
          last.compose(_ -> device.ask(own -> own.open(List.of(one)).getFirst()))
              .recover(
                  failure ->
                      failure instanceof ApiException
                          ? Future.failedFuture(failure)
                          : device.ask(own -> own.drop(one)))
              .map(
                  outcome -> {
                    opened.add(outcome);
                    return null;
                  });
    }
    return last.map(opened);
  }

  /// Whoever is not known yet is asked for before: what they wrote would be held. Where that cannot
  /// be asked it is.
  private Future<Void> senders(List<Received> page) {
    return roster
        .learn(
            page.stream()
                .filter(Received.Envelope.class::isInstance)
                .map(received -> ((Received.Envelope) received).senderId())
                .distinct()
                .toList())
        .otherwiseEmpty();
  }

  private void opened(Epoch epoch, List<Opened> page, int on) {
    told.accept(page);
    if (on != connection) {
      return;
    }
    Optional<QueueSeq> last = Optional.empty();
    for (Opened one : page) {
      if (one instanceof Opened.Ahead) {
        astray = true;
        queue.startOver();
        break;
      }
      if (one instanceof Opened.Dropped dropped && dropped.isToBeRejected()) {
        reject(epoch, one.queueSeq());
      }
      last = Optional.of(one.queueSeq());
    }
    last.ifPresent(seq -> queue.acknowledge(epoch, seq));
  }

  private void reject(Epoch epoch, QueueSeq seq) {
    queue.reject(epoch, seq, UNDECRYPTABLE);
  }

  static Received received(QueuedEnvelope envelope) {
    return switch (envelope) {
      case QueuedEnvelope.Gone(QueueSeq seq, Epoch epoch) -> new Received.Gone(seq, epoch);
      case QueuedEnvelope.Content c ->
          new Received.Envelope(
              c.queueSeq(),
              c.epoch(),
              c.roomId(),
              c.seq(),
              c.senderId(),
              c.senderDeviceId(),
              c.clientId(),
              c.ts(),
              c.body(),
              c.payload(),
              c.expiresAt());
    };
  }
}
