package io.confab.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.account.AccountCommand.AccountState;
import io.confab.account.AccountCommand.SignedInDevice;
import io.confab.account.AccountDomain;
import io.confab.account.ServerRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// What operators do with accounts and signing keys, by name.
final class AccountOperations {
  private static final int MOST_ACCOUNTS = 1_000;
  private static final int MOST_DEVICES = 1_000;

  private final AccountDomain.Operations operations;

  AccountOperations(AccountDomain.Operations operations) {
    this.operations = operations;
  }

  Map<String, ManagementCommand> byName() {
    return Map.ofEntries(
        command("account.list", this::list),
        command("account.show", this::show),
        command("account.create", this::create),
        command("account.admin", this::admin),
        command("account.password", this::password),
        command("account.bot", this::bot),
        command("account.suspend", this::suspend),
        command("account.restore", this::restore),
        command("account.remove", this::remove),
        command("account.devices", this::devices),
        command("account.forget", this::forget),
        command("keys.rotate", _ -> rotate()));
  }

  private static Map.Entry<String, ManagementCommand> command(
      String name, Function<CommandBody, Future<JsonNode>> run) {
    return Map.entry(name, body -> run.apply(new CommandBody(body)));
  }

  /// Where there are more, `next` is the account after which they come.
  private Future<JsonNode> list(CommandBody body) {
    String after = body.optional("after");
    return operations
        .statuses()
        .list(after == null ? null : AccountId.parse(after), MOST_ACCOUNTS + 1)
        .map(
            found -> {
              ObjectNode answer = CommandBody.answer();
              ArrayNode list = answer.putArray("accounts");
              found.stream().limit(MOST_ACCOUNTS).forEach(state -> list.add(json(state)));
              if (found.size() > MOST_ACCOUNTS) {
                answer.put("next", found.get(MOST_ACCOUNTS - 1).accountId().toString());
              }
              return answer;
            });
  }

  private Future<JsonNode> show(CommandBody body) {
    return operations
        .accounts()
        .find(body.text("handle"))
        .compose(operations.statuses()::find)
        .map(AccountOperations::json);
  }

  private Future<JsonNode> create(CommandBody body) {
    ServerRole role = body.flag("admin", false) ? ServerRole.ADMIN : ServerRole.USER;
    return operations
        .accounts()
        .create(
            body.text("handle"),
            new Secret(body.text("password")),
            body.optional("display_name"),
            role)
        .map(
            account ->
                CommandBody.answer()
                    .put("account_id", account.accountId().toString())
                    .put("handle", account.handle())
                    .put("role", role.wire()));
  }

  private Future<JsonNode> admin(CommandBody body) {
    String handle = body.text("handle");
    ServerRole role = body.flag("admin", true) ? ServerRole.ADMIN : ServerRole.USER;
    return operations
        .accounts()
        .setRole(handle, role)
        .map(_ -> CommandBody.answer().put("handle", handle).put("role", role.wire()));
  }

  private Future<JsonNode> password(CommandBody body) {
    String handle = body.text("handle");
    return operations
        .accounts()
        .setPassword(handle, new Secret(body.text("password")))
        .map(_ -> CommandBody.answer().put("handle", handle));
  }

  private Future<JsonNode> bot(CommandBody body) {
    return operations
        .bots()
        .make(body.text("handle"), body.optional("display_name"))
        .map(
            made ->
                CommandBody.answer()
                    .put("account_id", made.account().toString())
                    .put("handle", made.handle())
                    .put("device_id", made.device().value())
                    .put("token", made.token().value()));
  }

  private Future<JsonNode> suspend(CommandBody body) {
    return operations
        .accounts()
        .find(body.text("handle"))
        .compose(operations.lifecycle()::suspend)
        .map(AccountOperations::json);
  }

  private Future<JsonNode> restore(CommandBody body) {
    return operations
        .accounts()
        .find(body.text("handle"))
        .compose(operations.lifecycle()::restore)
        .map(AccountOperations::json);
  }

  private static JsonNode json(AccountState state) {
    return CommandBody.answer()
        .put("account_id", state.accountId().toString())
        .put("handle", state.handle())
        .put("display_name", state.displayName())
        .put("role", state.role().wire())
        .put("suspended", state.suspended());
  }

  private Future<JsonNode> remove(CommandBody body) {
    String handle = body.text("handle");
    return operations
        .accounts()
        .findRemoved(handle)
        .compose(operations.lifecycle()::remove)
        .map(_ -> CommandBody.answer().put("handle", handle));
  }

  private Future<JsonNode> devices(CommandBody body) {
    return operations
        .accounts()
        .find(body.text("handle"))
        .compose(account -> operations.devices().list(account, MOST_DEVICES))
        .map(AccountOperations::json);
  }

  private static JsonNode json(List<SignedInDevice> devices) {
    ObjectNode answer = CommandBody.answer();
    ArrayNode list = answer.putArray("devices");
    devices.forEach(
        device ->
            list.addObject()
                .put("device_id", device.deviceId().value())
                .put("name", device.name())
                .put("platform", device.platform())
                .put("created_at", device.createdAt()));
    return answer;
  }

  private Future<JsonNode> forget(CommandBody body) {
    String device = body.text("device_id");
    return operations
        .accounts()
        .find(body.text("handle"))
        .compose(account -> operations.removal().forget(account, DeviceId.parse(device)))
        .map(_ -> CommandBody.answer().put("device_id", device));
  }

  private Future<JsonNode> rotate() {
    return operations.keys().rotate().map(key -> CommandBody.answer().put("key_id", key));
  }
}
