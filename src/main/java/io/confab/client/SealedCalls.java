package io.confab.client;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.FullDevice;
import io.confab.protocol.Opaque;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sends to sealed rooms, and what became of them; made by [ConfabApi#sealed]. What is sent was
/// encrypted by the program. As every call, [ConfabApi] says how they fail.
public final class SealedCalls {
  private final SignedCalls calls;

  SealedCalls(SignedCalls calls) {
    this.calls = calls;
  }

  /// What one device alone gets.
  public record Letter(
      AccountId accountId, DeviceId deviceId, RegistrationId registrationId, Opaque body) {}

  /// What goes to the devices of a room.
  ///
  /// @param clientId new for each send, the same for each retry
  /// @param devices the digest of what the sender takes for the devices of the room
  /// @param payload for all of them; null: those alone get something that `envelopes` names
  /// @param silent whether it takes no number of the room and counts for nobody
  /// @param expiresInS for how many seconds it lasts; null: as the room says
  public record EnvelopeSend(
      ClientId clientId,
      String devices,
      @Nullable Opaque payload,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Letter> envelopes,
      boolean silent,
      @Nullable Integer expiresInS) {}

  /// What goes to some devices alone.
  record Loose(ClientId clientId, List<Letter> envelopes) {}

  /// A send that the server has stored.
  ///
  /// @param roomId absent: without a room
  /// @param seq absent: it is silent
  /// @param ts milliseconds since 1970 by PostgreSQL's clock
  /// @param duplicate whether an earlier try had stored it, whose `full` is not told
  /// @param full devices whose queues took nothing
  public record EnvelopeStored(
      @Nullable RoomId roomId,
      ClientId clientId,
      @Nullable Seq seq,
      long ts,
      boolean duplicate,
      List<FullDevice> full) {

    public EnvelopeStored {
      full = full == null ? List.of() : List.copyOf(full); // answers leave out an empty one
    }
  }

  /// Messages that follow each other among those of the account: the first and the last of them.
  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  @JsonPropertyOrder({"from", "to"})
  public record Run(Seq from, Seq to) {}

  /// @param reason `full`, `expired`, `removed` or `undecryptable`; others may come
  public record Failed(Seq seq, String reason) {}

  /// What became of the account's own messages at one other account.
  ///
  /// @param delivered those that one of its devices acknowledged
  /// @param readSeq the last of these that it has read, with those before: it says nothing of
  ///     messages that were not delivered. Absent: not for this account to know, or the first of
  ///     them is unread or older than its membership
  /// @param failed those that none of its devices can get any more
  public record Delivery(
      AccountId accountId, List<Run> delivered, @Nullable Seq readSeq, List<Failed> failed) {}

  /// Sends to a room; `device_mismatch` names its devices ([ApiException#devices]), and leaves the
  /// `clientId` free.
  public Future<EnvelopeStored> send(RoomId room, EnvelopeSend send) {
    return ask("/v1/rooms/" + room + "/envelopes", send);
  }

  /// Sends silently and without a room, to devices of the account's own and of people in a common
  /// sealed room; `device_mismatch` names no devices.
  ///
  /// @param letters 1,000 at most, one for each device
  public Future<EnvelopeStored> sendLoose(ClientId clientId, List<Letter> letters) {
    return ask("/v1/envelopes", new Loose(clientId, letters));
  }

  private Future<EnvelopeStored> ask(String path, Object send) {
    return calls.ask(
        HttpAsk.repeatable(HttpMethod.POST, path, ClientJson.write(send)), EnvelopeStored.class);
  }

  /// What became of 500 of the account's own messages in a sealed room, from this one on.
  public Future<List<Delivery>> deliveries(RoomId room, Seq from) {
    return SignedCalls.understood(
        calls
            .ask(HttpAsk.get("/v1/rooms/" + room + "/deliveries?from_seq=" + from))
            .map(answer -> ClientJson.list(answer, "accounts", Delivery.class)));
  }
}
