package io.confab.http;

import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import com.fasterxml.jackson.databind.util.RawValue;
import io.confab.bus.Bus;
import io.confab.bus.Done;
import io.confab.limit.Limit;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientFrame.QueueAck;
import io.confab.protocol.ClientFrame.QueueReject;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Fields;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.queue.QueueCommand;
import io.confab.queue.QueueCommand.AckQueue;
import io.confab.queue.QueueCommand.OpenQueue;
import io.confab.queue.QueueCommand.Opened;
import io.confab.queue.QueueCommand.QueuePage;
import io.confab.queue.QueueCommand.ReadQueue;
import io.confab.queue.QueueCommand.RejectEnvelope;
import io.confab.queue.QueueCommand.Waiting;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What waits for the caller's device, for devices without a socket.
record QueueRoutes(Bus bus) {
  void mount(Routes routes) {
    routes.onDevice(GET, "/v1/queue?after=&limit=", Limit.READS, this::read);
    routes.onDevice(POST, "/v1/queue/ack", Limit.MARKERS, this::ack);
    routes.onDevice(POST, "/v1/queue/reject", Limit.WRITES, this::reject);
  }

  /// A page as it stands on the wire.
  record Queue(Epoch epoch, List<RawValue> envelopes, QueueSeq last, boolean hasMore) {
    static Queue of(QueuePage page, QueueSeq after, int limit) {
      List<Waiting> shown = page.envelopes().stream().limit(limit).toList();
      QueueSeq begin = page.gone().isAfter(after) ? page.gone() : after;
      QueueSeq end = shown.isEmpty() ? begin : shown.getLast().seq();
      return new Queue(
          page.epoch(),
          shown.stream()
              .map(each -> new RawValue(EnvelopeFrames.text(each.head(), each.tail())))
              .toList(),
          page.last(),
          page.last().isAfter(end));
    }
  }

  /// What is acknowledged is not there any more, so a lower number than that is one too.
  private Future<Answer> read(Caller caller, Call call) {
    Long number = call.query().number("after");
    QueueSeq after = new QueueSeq(number == null ? 0 : number);
    int limit = limit(call.query());
    return open(caller)
        .compose(queue -> bus.request(new ReadQueue(caller.account(), queue.registration(), after)))
        .map(page -> Answer.ok(Queue.of(told(page, after), after, limit)));
  }

  private static QueuePage told(QueuePage page, QueueSeq after) {
    if (page.envelopes().isEmpty()
        && page.last().isAfter(after)
        && page.last().isAfter(page.gone())) {
      throw Refusal.unavailable("what is over is being ended");
    }
    return page;
  }

  private static int limit(Query query) {
    int limit = query.limit(QueueCommand.PAGE);
    if (limit > QueueCommand.PAGE) {
      throw Refusal.invalidField("limit", "must be at most " + QueueCommand.PAGE);
    }
    return limit;
  }

  private Future<Opened> open(Caller caller) {
    return bus.request(new OpenQueue(caller));
  }

  private Future<Answer> ack(Caller caller, Call call) {
    Fields fields = call.body();
    QueueAck ack = QueueAck.read(fields);
    Long epoch = fields.optionalNumber("epoch");
    fields.end();
    return open(caller)
        .map(queue -> checked(queue, ack.queueSeq(), epoch))
        .compose(
            queue ->
                bus.request(
                    new AckQueue(
                        caller.account(), queue.registration(), ack.queueSeq(), queue.epoch())))
        .map(_ -> Answer.noContent());
  }

  /// A number of another epoch names something else now.
  private static Opened checked(Opened queue, QueueSeq named, @Nullable Long epoch) {
    if (epoch != null && epoch != queue.epoch().value()) {
      throw new Refusal(ErrorCode.CONFLICT, "the number is of another epoch");
    }
    if (named.isAfter(queue.last())) {
      throw Refusal.invalidField("queue_seq", "is no number of the queue yet");
    }
    return queue;
  }

  private Future<Answer> reject(Caller caller, Call call) {
    Fields fields = call.body();
    QueueReject reject = QueueReject.read(fields);
    Long epoch = fields.optionalNumber("epoch");
    fields.end();
    return open(caller)
        .map(queue -> checked(queue, reject.queueSeq(), epoch))
        .compose(queue -> reject(caller, reject, queue))
        .map(_ -> Answer.noContent());
  }

  private Future<Done> reject(Caller caller, QueueReject reject, Opened queue) {
    return bus.request(
        new RejectEnvelope(
            caller.account(),
            queue.registration(),
            reject.queueSeq(),
            reject.reason(),
            queue.epoch()));
  }
}
