package io.confab.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.POST;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.Created;
import io.confab.account.AccountCommand.CreatedAccounts;
import io.confab.account.AccountCommand.NewAccount;
import io.confab.account.ServerRole;
import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.config.Secret;
import io.confab.config.WireName;
import io.confab.limit.Limit;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.Fields;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Routes for accounts, for backends by the server API key and for server admins.
final class AdministrationRoutes {
  private static final int MOST_ACCOUNTS = 1_000;

  /// The passwords of so many are hashed within one request on the bus.
  private static final int MADE_TOGETHER = 50;

  private static final String ACCOUNT = "/v1/admin/accounts/:account_id";

  private final Bus bus;

  AdministrationRoutes(Bus bus) {
    this.bus = bus;
  }

  void mount(Routes routes) {
    routes.bulkForAdministrators(POST, "/v1/admin/accounts", Limit.ADMIN, this::create);
    routes.forAdministrators(POST, "/v1/admin/tokens", Limit.ADMIN, this::issueTokens);
    routes.forAdministrators(
        POST, ACCOUNT + "/suspend", Limit.ADMIN, call -> change(call, AccountCommand.Suspend::new));
    routes.forAdministrators(
        POST, ACCOUNT + "/restore", Limit.ADMIN, call -> change(call, AccountCommand.Restore::new));
    routes.forAdministrators(DELETE, ACCOUNT, Limit.ADMIN, this::remove);
  }

  /// An account of a call, or its refusal.
  private sealed interface Asked {
    record Good(NewAccount account) implements Asked {}

    record Bad(Refusal refusal) implements Asked {}
  }

  private Future<Answer> create(Call call) {
    Fields fields = call.body();
    if (!fields.has("accounts")) {
      throw Refusal.invalidField("accounts", "is missing");
    }
    List<Asked> asked =
        fields.objects("accounts", MOST_ACCOUNTS).stream().map(AdministrationRoutes::read).toList();
    fields.end();
    List<NewAccount> good =
        asked.stream()
            .filter(Asked.Good.class::isInstance)
            .map(one -> ((Asked.Good) one).account())
            .toList();
    return create(good, 0, new ArrayList<>()).map(made -> Answer.ok(inOrder(asked, made)));
  }

  private static Asked read(Fields fields) {
    String handle = fields.text("handle");
    String displayName = fields.optionalText("display_name");
    String password = fields.optionalText("password");
    String role = fields.optionalText("role");
    fields.end();
    Secret secret = password == null ? null : new Secret(password);
    return WireName.find(ServerRole.class, role == null ? ServerRole.USER.wire() : role)
        .<Asked>map(known -> new Asked.Good(new NewAccount(handle, displayName, secret, known)))
        .orElseGet(() -> new Asked.Bad(Refusal.invalidField("role", "must be user, admin or bot")));
  }

  /// Creates one piece after the other, so that one call does not take the server for itself. The
  /// refusal of a piece is answered for each of its accounts.
  private Future<List<Created>> create(List<NewAccount> accounts, int from, List<Created> made) {
    if (from == accounts.size()) {
      return Future.succeededFuture(made);
    }
    int to = Math.min(from + MADE_TOGETHER, accounts.size());
    List<NewAccount> piece = List.copyOf(accounts.subList(from, to));
    return bus.request(new AccountCommand.CreateAccounts(piece))
        .map(CreatedAccounts::accounts)
        .recover(failure -> refused(piece, failure))
        .compose(
            answers -> {
              made.addAll(answers);
              return create(accounts, to, made);
            });
  }

  private static Future<List<Created>> refused(List<NewAccount> piece, Throwable failure) {
    return failure instanceof Refusal refusal
        ? Future.succeededFuture(piece.stream().map(_ -> Created.refused(refusal)).toList())
        : Future.failedFuture(failure);
  }

  private static CreatedAccounts inOrder(List<Asked> asked, List<Created> made) {
    var next = made.iterator();
    return new CreatedAccounts(
        asked.stream()
            .map(
                one ->
                    switch (one) {
                      case Asked.Good _ -> next.next();
                      case Asked.Bad(Refusal refusal) -> Created.refused(refusal);
                    })
            .toList());
  }

  private Future<Answer> issueTokens(Call call) {
    Fields fields = call.body();
    AccountId account = AccountId.parse(fields.text("account_id"));
    Fields device = fields.optionalObject("device");
    fields.end();
    return bus.request(
            new AccountCommand.IssueTokens(
                account, device == null ? null : DeviceInfo.read(device)))
        .map(TokenRoutes::tokens);
  }

  private <R extends BusMessage> Future<Answer> change(
      Call call, Function<AccountId, AccountCommand<R>> command) {
    call.requireNoFields();
    AccountId account = call.account();
    return bus.request(command.apply(account)).map(Answer::ok);
  }

  private Future<Answer> remove(Call call) {
    call.requireNoFields();
    AccountId account = call.account();
    return bus.request(new AccountCommand.Remove(account)).map(_ -> Answer.noContent());
  }
}
