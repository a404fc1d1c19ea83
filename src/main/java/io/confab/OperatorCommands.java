package io.confab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.account.AccountAdministration;
import io.confab.account.ServerRole;
import io.confab.config.Secret;
import io.confab.http.ManagementCommand;
import io.confab.postgres.EpochStore;
import io.confab.postgres.Migrations;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What operators do by name, beside a running node through its management port or without one.
final class OperatorCommands {
  private final Vertx vertx;
  private final AccountAdministration accounts;
  private final EpochStore epochs;
  private final Migrations migrations;

  OperatorCommands(
      Vertx vertx, AccountAdministration accounts, EpochStore epochs, Migrations migrations) {
    this.vertx = vertx;
    this.accounts = accounts;
    this.epochs = epochs;
    this.migrations = migrations;
  }

  Map<String, ManagementCommand> byName() {
    return Map.of(
        "account.create",
        this::create,
        "account.admin",
        this::admin,
        "account.password",
        this::password,
        "epoch",
        _ -> epoch(),
        "epoch.bump",
        _ -> bump(),
        "migrate",
        _ -> migrate());
  }

  private Future<JsonNode> create(JsonNode body) {
    ServerRole role = body.path("admin").asBoolean() ? ServerRole.ADMIN : ServerRole.USER;
    return accounts
        .create(
            text(body, "handle"),
            new Secret(text(body, "password")),
            optional(body, "display_name"),
            role)
        .map(
            account ->
                answer()
                    .put("account_id", account.accountId().toString())
                    .put("handle", account.handle())
                    .put("role", role.key()));
  }

  private Future<JsonNode> admin(JsonNode body) {
    String handle = text(body, "handle");
    ServerRole role = body.path("admin").asBoolean(true) ? ServerRole.ADMIN : ServerRole.USER;
    return accounts
        .setRole(handle, role)
        .map(_ -> answer().put("handle", handle).put("role", role.key()));
  }

  private Future<JsonNode> password(JsonNode body) {
    String handle = text(body, "handle");
    return accounts
        .setPassword(handle, new Secret(text(body, "password")))
        .map(_ -> answer().put("handle", handle));
  }

  private Future<JsonNode> epoch() {
    return epochs
        .stored()
        .map(
            stored -> {
              ObjectNode answer = answer().put("epoch", stored.epoch().value());
              stored.systemIdentifier().ifPresent(id -> answer.put("system_identifier", id));
              stored.timeline().ifPresent(line -> answer.put("timeline", line));
              return answer;
            });
  }

  private Future<JsonNode> bump() {
    return epochs.raise().map(epoch -> answer().put("epoch", epoch.value()));
  }

  private Future<JsonNode> migrate() {
    return vertx.executeBlocking(() -> answer().put("migrations_run", migrations.migrate()));
  }

  private static ObjectNode answer() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static String text(JsonNode body, String field) {
    String text = optional(body, field);
    if (text == null) {
      throw Refusal.invalidField(field, "is missing");
    }
    return text;
  }

  private static @Nullable String optional(JsonNode body, String field) {
    return body.path(field).textValue();
  }
}
