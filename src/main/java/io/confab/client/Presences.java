package io.confab.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Who is there; made by [ConfabApi#presences].
public final class Presences {
  private final SignedCalls calls;

  Presences(SignedCalls calls) {
    this.calls = calls;
  }

  /// @param accounts 400 at most
  public Future<List<Presence>> of(List<AccountId> accounts) {
    String ids = accounts.stream().map(AccountId::toString).collect(Collectors.joining(","));
    return calls
        .ask(HttpAsk.get("/v1/presence?accounts=" + ids))
        .map(answer -> ClientJson.list(answer, "accounts", Presence.class));
  }

  /// What others see of the account in all of its open sessions.
  ///
  /// @param status `online` or `away`
  /// @param text absent: as before; empty: none
  public Future<Void> set(String status, @Nullable String text) {
    ObjectNode body = ClientJson.object().put("status", status);
    if (text != null) {
      body.put("text", text);
    }
    return calls.ask(HttpAsk.repeatable(HttpMethod.PUT, "/v1/me/presence", body)).mapEmpty();
  }
}
