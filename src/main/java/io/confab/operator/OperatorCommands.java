package io.confab.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.account.AccountDomain;
import io.confab.marker.DriftStore;
import io.confab.postgres.EpochStore;
import io.confab.postgres.Migrations;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.TextRules;
import io.confab.security.SecurityEvent;
import io.confab.security.SecurityLog;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The commands of operators by name, beside a running node through its management port or without
/// one.
public final class OperatorCommands {
  private static final String THIS_MACHINE = "local";

  /// Accounts whose unread counts one call compares.
  private static final int ACCOUNTS_COMPARED = 100;

  private final Vertx vertx;
  private final AccountOperations accounts;
  private final EpochStore epochs;
  private final Migrations migrations;
  private final DriftStore drift;

  public OperatorCommands(
      Vertx vertx,
      AccountDomain.Operations accounts,
      EpochStore epochs,
      Migrations migrations,
      DriftStore drift) {
    this.vertx = vertx;
    this.accounts = new AccountOperations(accounts);
    this.epochs = epochs;
    this.migrations = migrations;
    this.drift = drift;
  }

  public Map<String, ManagementCommand> byName() {
    Map<String, ManagementCommand> commands = new HashMap<>(accounts.byName());
    commands.put("epoch", _ -> epoch());
    commands.put("epoch.bump", _ -> bump());
    commands.put("migrate", _ -> migrate());
    commands.put("unread.check", this::checkUnread);
    return Map.copyOf(commands);
  }

  /// The same, told to the security log once it is known what became of them.
  public Map<String, ManagementCommand> byName(SecurityLog log) {
    return told(byName(), log);
  }

  static Map<String, ManagementCommand> told(
      Map<String, ManagementCommand> commands, SecurityLog log) {
    Map<String, ManagementCommand> told = new HashMap<>();
    commands.forEach(
        (name, command) ->
            told.put(
                name,
                body ->
                    Future.succeededFuture(body)
                        .compose(command::run)
                        .onComplete(
                            answer ->
                                log.happened(
                                    SecurityEvent.OPERATOR_COMMAND,
                                    THIS_MACHINE,
                                    about(name, new CommandBody(body), answer.cause())))));
    return told;
  }

  private static Map<String, String> about(
      String name, CommandBody body, @Nullable Throwable failure) {
    Map<String, String> about = new LinkedHashMap<>();
    about.put("command", name);
    TextRules.findHandle(body.optional("handle")).ifPresent(handle -> about.put("handle", handle));
    if (failure != null) {
      about.put("refused", code(failure).wire());
    }
    return about;
  }

  private static ErrorCode code(Throwable failure) {
    return failure instanceof Refusal refusal ? refusal.code() : ErrorCode.INTERNAL;
  }

  private Future<JsonNode> epoch() {
    return epochs
        .stored()
        .map(
            stored -> {
              ObjectNode answer = CommandBody.answer().put("epoch", stored.epoch().value());
              stored.systemIdentifier().ifPresent(id -> answer.put("system_identifier", id));
              stored.timeline().ifPresent(line -> answer.put("timeline", line));
              return answer;
            });
  }

  private Future<JsonNode> bump() {
    return epochs.raise().map(epoch -> CommandBody.answer().put("epoch", epoch.value()));
  }

  private Future<JsonNode> checkUnread(JsonNode body) {
    return drift
        .compare(body.path("after").asLong(Long.MIN_VALUE), ACCOUNTS_COMPARED)
        .map(
            found -> {
              ObjectNode answer =
                  CommandBody.answer()
                      .put("accounts", found.accounts())
                      .put("markers", found.markers())
                      .put("differing", found.differing())
                      .put("uncompared", found.uncompared());
              Long last = found.last();
              if (last != null) {
                answer.put("next", last);
              }
              return answer;
            });
  }

  private Future<JsonNode> migrate() {
    return vertx.executeBlocking(
        () -> CommandBody.answer().put("migrations_run", migrations.migrate()));
  }
}
