package io.confab.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Seats in a room with a capacity, and the line before it; made by [ConfabApi#seats].
public final class RoomSeats {
  private final SignedCalls calls;
  private final String path;

  RoomSeats(SignedCalls calls, String path) {
    this.calls = calls;
    this.path = path + "/seats";
  }

  /// How an account stands.
  ///
  /// @param type `seat.inside`, `seat.waiting` or `seat.offer`; others may come
  /// @param inside how many are inside, for one who is, as the capacity
  /// @param position in the line from 1, for one who waits, and so the next four
  /// @param estimateS in how many seconds the turn may come; absent: nobody knows
  /// @param place to be named when the account enters again
  /// @param until to when an offer stands, in milliseconds since 1970
  public record Standing(
      String type,
      RoomId roomId,
      @Nullable Long inside,
      @Nullable Long capacity,
      @Nullable Long position,
      @Nullable Long ahead,
      @Nullable Long waiting,
      @Nullable Long estimateS,
      @Nullable String place,
      @Nullable Long until) {}

  /// @param accounts who is inside; absent: not to be known
  /// @param waitingList who waits, the first first; absent: not to be known
  public record Numbers(
      long inside,
      long capacity,
      long waiting,
      @Nullable List<AccountId> accounts,
      @Nullable List<AccountId> waitingList) {}

  /// Enters or joins the line, checks in, takes up what is offered. Who has no session does so
  /// every 10 s.
  ///
  /// @param place as [Standing#place]; null: none
  public Future<Standing> enter(@Nullable String place) {
    ObjectNode body = ClientJson.object();
    if (place != null) {
      body.put("place", place);
    }
    return calls.ask(HttpAsk.repeatable(HttpMethod.POST, path, body), Standing.class);
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
    return calls.ask(
        HttpAsk.repeatable(HttpMethod.PUT, path + "/" + account, null), Standing.class);
  }

  /// Takes seat or place from an account.
  public Future<Void> remove(AccountId account) {
    return remove(account.toString());
  }

  private Future<Void> remove(String account) {
    return calls.ask(HttpAsk.repeatable(HttpMethod.DELETE, path + "/" + account, null)).mapEmpty();
  }
}
