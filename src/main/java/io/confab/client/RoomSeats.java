package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.client.RoomSignal.SeatInside;
import io.confab.client.RoomSignal.SeatOffer;
import io.confab.client.RoomSignal.SeatWaiting;
import io.confab.client.RoomSignal.Standing;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Seats in a room with a capacity, and the line before it; made by [ConfabApi#seats].
public final class RoomSeats {
  private final SignedCalls calls;
  private final String path;

  RoomSeats(SignedCalls calls, String path) {
    this.calls = calls;
    this.path = path + "/seats";
  }

  /// Who is inside and who waits.
  ///
  /// @param accounts who is inside; absent: not for this account to know, or too many
  /// @param waitingList who waits, the first first; absent likewise
  public record Numbers(
      long inside,
      long capacity,
      long waiting,
      @Nullable List<AccountId> accounts,
      @Nullable List<AccountId> waitingList) {}

  /// Enters or joins the line, checks in, takes up what is offered. Who has no session does so
  /// every 10 s, and loses seat or place after 30 s without; who has one uses
  /// [ConfabClient#enter].
  ///
  /// @param place as [SeatWaiting#place]; null: none
  public Future<Standing> enter(@Nullable String place) {
    ObjectNode body = ClientJson.object();
    if (place != null) {
      body.put("place", place);
    }
    return calls.ask(HttpAsk.repeatable(HttpMethod.POST, path, body)).map(RoomSeats::standing);
  }

  /// Gives up seat or place.
  public Future<Void> exit() {
    return remove("me");
  }

  /// How many are inside and wait.
  public Future<Numbers> numbers() {
    return calls.ask(HttpAsk.get(path), Numbers.class);
  }

  /// Puts a member at the head of the line.
  public Future<Standing> letIn(AccountId account) {
    return calls
        .ask(HttpAsk.repeatable(HttpMethod.PUT, path + "/" + account, null))
        .map(RoomSeats::standing);
  }

  /// Takes seat or place from an account.
  public Future<Void> remove(AccountId account) {
    return remove(account.toString());
  }

  private Future<Void> remove(String account) {
    return calls.ask(HttpAsk.repeatable(HttpMethod.DELETE, path + "/" + account, null)).mapEmpty();
  }

  private static Standing standing(JsonNode answer) {
    return read(answer)
        .orElseThrow(
            () -> ApiException.local(ErrorCode.INTERNAL.wire(), "an answer of an unknown type"));
  }

  /// How an account stands, as frames and answers say it; empty: in a way that this client does not
  /// know.
  static Optional<Standing> read(JsonNode told) {
    return switch (told.path("type").asText()) {
      case "seat.inside" -> Optional.of(ClientJson.read(told, SeatInside.class));
      case "seat.waiting" -> Optional.of(ClientJson.read(told, SeatWaiting.class));
      case "seat.offer" -> Optional.of(ClientJson.read(told, SeatOffer.class));
      default -> Optional.empty();
    };
  }
}
