package io.confab.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.account.AccountCommand.AccountState;
import io.confab.account.AccountCommand.SignedInDevice;
import io.confab.account.AccountDomain;
import io.confab.account.ServerRole;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/// What operators do with accounts and signing keys, by name.
final class AccountOperations {
  private static final int MOST_DEVICES = 1_000;

  private final AccountDomain.Operations operations;

  AccountOperations(AccountDomain.Operations operations) {
    this.operations = operations;
  }

  Map<String, ManagementCommand> byName() {
    return Map.of(
        "account.create",
        body -> create(new CommandBody(body)),
        "account.admin",
        body -> admin(new CommandBody(body)),
        "account.password",
        body -> password(new CommandBody(body)),
        "account.bot",
        body -> bot(new CommandBody(body)),
        "account.suspend",
        body -> suspend(new CommandBody(body)),
        "account.restore",
        body -> restore(new CommandBody(body)),
        "account.remove",
        body -> remove(new CommandBody(body)),
        "account.devices",
        body -> devices(new CommandBody(body)),
        "account.forget",
        body -> forget(new CommandBody(body)),
        "keys.rotate",
        _ -> operations.keys().rotate().map(key -> CommandBody.answer().put("key_id", key)));
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
        .compose(account -> operations.signIns().forget(account, DeviceId.parse(device)))
        .map(_ -> CommandBody.answer().put("device_id", device));
  }
}
