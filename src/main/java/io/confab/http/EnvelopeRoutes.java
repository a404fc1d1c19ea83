package io.confab.http;

import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import io.confab.bus.Bus;
import io.confab.limit.Limit;
import io.confab.message.MessageRequests;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientId;
import io.confab.protocol.EnvelopeFields;
import io.confab.protocol.Fields;
import io.confab.protocol.FullDevice;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.queue.EnvelopeCommand.ReadDeliveries;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeSent;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sends to sealed rooms, and what became of them.
final class EnvelopeRoutes {
  private static final String SENT = "sent";

  private final Bus bus;
  private final MessageRequests messages;

  EnvelopeRoutes(Bus bus, MessageRequests messages) {
    this.bus = bus;
    this.messages = messages;
  }

  void mount(Routes routes) {
    routes.bulkOnDevice(POST, "/v1/rooms/:room_id/envelopes", Limit.SENDS, this::send);
    routes.bulkOnDevice(POST, "/v1/envelopes", Limit.SENDS, this::sendLoose);
    routes.signedIn(
        GET, "/v1/rooms/:room_id/deliveries?from_seq=", Limit.READS, this::readDeliveries);
  }

  private Future<Answer> send(Caller caller, Call call) {
    RoomId room = call.room();
    Fields fields = call.body();
    EnvelopeFields send = EnvelopeFields.read(fields);
    fields.end();
    return put(EnvelopeDraft.of(room, caller, send));
  }

  private Future<Answer> sendLoose(Caller caller, Call call) {
    Fields fields = call.body();
    EnvelopeFields send = EnvelopeFields.readLoose(fields);
    fields.end();
    return put(EnvelopeDraft.of(null, caller, send));
  }

  private Future<Answer> put(EnvelopeDraft draft) {
    return messages.put(draft).map(sent -> Answer.made(!sent.duplicate(), Acknowledged.of(sent)));
  }

  /// As `envelope.ack`.
  record Acknowledged(
      @Nullable RoomId roomId,
      ClientId clientId,
      @Nullable Seq seq,
      long ts,
      String status,
      boolean duplicate,
      @Nullable List<FullDevice> full) {
    static Acknowledged of(EnvelopeSent sent) {
      return new Acknowledged(
          sent.roomId(),
          sent.clientId(),
          sent.seq(),
          sent.ts(),
          SENT,
          sent.duplicate(),
          sent.full());
    }
  }

  private Future<Answer> readDeliveries(AccountId caller, Call call) {
    RoomId room = call.room();
    Long from = call.query().number("from_seq");
    return bus.request(new ReadDeliveries(caller, room, new Seq(from == null ? 1 : from)))
        .map(Answer::ok);
  }
}
