package io.confab.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What server admins, and backends with an API key, do with accounts; made by
/// [ConfabApi#administration].
public final class Administration {
  private static final String ACCOUNTS = "/v1/admin/accounts";

  private final SignedCalls calls;

  Administration(SignedCalls calls) {
    this.calls = calls;
  }

  /// All accounts that are not removed, by id.
  public Future<List<AccountState>> accounts() {
    return calls.pages(ACCOUNTS, "accounts", AccountState.class);
  }

  public Future<AccountState> account(AccountId account) {
    return calls.ask(HttpAsk.get(path(account)), AccountState.class);
  }

  /// Makes up to 1,000 accounts, each for itself.
  ///
  /// @return what became of each, in their order
  public Future<List<MadeAccount>> create(List<NewAccount> accounts) {
    ObjectNode body = ClientJson.object();
    ArrayNode list = body.putArray("accounts");
    accounts.forEach(account -> write(account, list.addObject()));
    return calls
        .ask(HttpAsk.making(ACCOUNTS, body))
        .map(answer -> ClientJson.list(answer, "accounts", MadeAccount.class));
  }

  private static void write(NewAccount account, ObjectNode json) {
    json.put("handle", account.handle());
    put(json, "display_name", account.displayName());
    put(json, "password", account.password() == null ? null : account.password().value());
    put(json, "role", account.role());
  }

  private static void put(ObjectNode json, String field, @Nullable String value) {
    if (value != null) {
      json.put(field, value);
    }
  }

  /// Makes a bot with its first token; for a bot that is there, one more token. By the API key
  /// alone.
  public Future<BotToken> bot(String handle, @Nullable String displayName) {
    ObjectNode body = ClientJson.object().put("handle", handle);
    put(body, "display_name", displayName);
    return calls
        .ask(HttpAsk.making("/v1/admin/bots", body))
        .map(
            made ->
                new BotToken(
                    AccountId.parse(made.path("account_id").asText()),
                    new Secret(made.path("token").asText())));
  }

  /// Signs a device of an account in without its password. By the API key alone.
  ///
  /// @param device absent: one that the server names
  public Future<Credentials> signIn(AccountId account, @Nullable DeviceInfo device) {
    ObjectNode body = ClientJson.object().put("account_id", account.toString());
    if (device != null) {
      body.set("device", ClientJson.write(device));
    }
    return calls.ask(HttpAsk.once(HttpMethod.POST, "/v1/admin/tokens", body)).map(SignIn::read);
  }

  /// Ends all sessions of an account; none begins until it is restored.
  public Future<AccountState> suspend(AccountId account) {
    return calls.ask(
        HttpAsk.repeatable(HttpMethod.POST, path(account) + "/suspend", null), AccountState.class);
  }

  public Future<AccountState> restore(AccountId account) {
    return calls.ask(
        HttpAsk.repeatable(HttpMethod.POST, path(account) + "/restore", null), AccountState.class);
  }

  /// Removes an account for good; its messages stay.
  public Future<Void> remove(AccountId account) {
    return calls.ask(HttpAsk.repeatable(HttpMethod.DELETE, path(account), null)).mapEmpty();
  }

  private static String path(AccountId account) {
    return ACCOUNTS + "/" + account;
  }
}
