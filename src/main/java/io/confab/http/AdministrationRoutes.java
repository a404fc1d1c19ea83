package io.confab.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.Created;
import io.confab.account.AccountCommand.CreatedAccounts;
import io.confab.account.AccountCommand.NewAccount;
import io.confab.account.ApiKeyId;
import io.confab.account.HashedPassword;
import io.confab.account.Passwords.Place;
import io.confab.account.ServerRole;
import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.limit.Limit;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.Fields;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.confab.protocol.WireName;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Routes for accounts, for backends by the server API key and for server admins.
final class AdministrationRoutes {
  private static final int MOST_ACCOUNTS = 1_000;

  /// So many are added by one statement.
  private static final int MADE_TOGETHER = 50;

  private static final Place BACKEND = Place.internal("backend");

  private static final String ACCOUNT = "/v1/admin/accounts/:account_id";

  private final Bus bus;
  private final KeyedCalls keyed;
  private final PasswordCalls passwords;
  private final ApiKeyId apiKey;

  AdministrationRoutes(Bus bus, KeyedCalls keyed, PasswordCalls passwords, ApiKeyId apiKey) {
    this.bus = bus;
    this.keyed = keyed;
    this.apiKey = apiKey;
    this.passwords = passwords;
  }

  void mount(Routes routes) {
    routes.bulkForAdministrators(
        POST, "/v1/admin/accounts", Limit.ADMIN, keyed.onceByAdministrator(this::create));
    routes.forAdministrators(GET, "/v1/admin/accounts?after=&limit=", Limit.ADMIN, this::list);
    routes.forAdministrators(
        GET, ACCOUNT, Limit.ADMIN, call -> about(call, AccountCommand.ReadAccount::new));
    routes.forBackends(
        POST, "/v1/admin/bots", Limit.ADMIN, keyed.onceByAdministrator(this::makeBot));
    routes.forBackends(POST, "/v1/admin/tokens", Limit.ADMIN, this::issueTokens);
    routes.forAdministrators(
        POST, ACCOUNT + "/suspend", Limit.ADMIN, call -> about(call, AccountCommand.Suspend::new));
    routes.forAdministrators(
        POST, ACCOUNT + "/restore", Limit.ADMIN, call -> about(call, AccountCommand.Restore::new));
    routes.forAdministrators(DELETE, ACCOUNT, Limit.ADMIN, this::remove);
  }

  private Future<Answer> create(Call call) {
    Fields fields = call.body();
    if (!fields.has("accounts")) {
      throw Refusal.invalidField("accounts", "is missing");
    }
    List<Asked> asked =
        fields.objects("accounts", MOST_ACCOUNTS).stream().map(Asked::read).toList();
    fields.end();
    return create(asked, 0, new ArrayList<>())
        .onSuccess(
            made -> {
              if (made.stream().anyMatch(Created::mayBeMadeLater)) {
                KeyedCalls.leaveOpen(call);
              }
            })
        .map(made -> Answer.ok(new CreatedAccounts(made)));
  }

  /// An account of a call.
  private record Asked(
      String handle, @Nullable String displayName, @Nullable Secret password, String role) {

    static Asked read(Fields fields) {
      String handle = fields.text("handle");
      String displayName = fields.optionalText("display_name");
      String password = fields.optionalText("password");
      String role = fields.optionalText("role");
      fields.end();
      return new Asked(
          handle,
          displayName,
          password == null ? null : new Secret(password),
          role == null ? ServerRole.USER.wire() : role);
    }
  }

  /// Creates one piece after the other, so that one call does not take the server for itself.
  private Future<List<Created>> create(List<Asked> asked, int from, List<Created> made) {
    if (from == asked.size()) {
      return Future.succeededFuture(made);
    }
    int to = Math.min(from + MADE_TOGETHER, asked.size());
    return hash(asked.subList(from, to), new ArrayList<>())
        .compose(this::make)
        .compose(
            answers -> {
              made.addAll(answers);
              return create(asked, to, made);
            });
  }

  /// An account that can be made as far as the edge knows, or its refusal.
  private sealed interface Hashed {
    record Good(NewAccount account) implements Hashed {}

    record Bad(Refusal refusal) implements Hashed {}
  }

  /// One after the other, so that a bulk call does not delay sign-ins.
  private Future<List<Hashed>> hash(List<Asked> piece, List<Hashed> done) {
    if (done.size() == piece.size()) {
      return Future.succeededFuture(done);
    }
    return Future.succeededFuture(piece.get(done.size()))
        .compose(this::hash)
        .<Hashed>map(Hashed.Good::new)
        .recover(
            failure ->
                failure instanceof Refusal refusal
                    ? Future.succeededFuture(new Hashed.Bad(refusal))
                    : Future.failedFuture(failure))
        .compose(
            one -> {
              done.add(one);
              return hash(piece, done);
            });
  }

  private Future<NewAccount> hash(Asked asked) {
    ServerRole role =
        WireName.find(ServerRole.class, asked.role())
            .orElseThrow(() -> Refusal.invalidField("role", "must be user, admin or bot"));
    Secret password = asked.password();
    Future<@Nullable HashedPassword> hashed =
        password == null
            ? Future.succeededFuture()
            : passwords
                .hash(BACKEND, asked.handle(), password, asked.displayName(), role)
                .map(some -> some);
    return hashed.map(one -> new NewAccount(asked.handle(), asked.displayName(), one, role));
  }

  /// The refusal of a piece is answered for each of its accounts.
  private Future<List<Created>> make(List<Hashed> piece) {
    List<NewAccount> good =
        piece.stream()
            .filter(Hashed.Good.class::isInstance)
            .map(one -> ((Hashed.Good) one).account())
            .toList();
    Future<List<Created>> made =
        good.isEmpty()
            ? Future.succeededFuture(List.of())
            : bus.request(new AccountCommand.CreateAccounts(good))
                .map(CreatedAccounts::accounts)
                .recover(failure -> refused(good, failure));
    return made.map(answers -> inOrder(piece, answers));
  }

  private static Future<List<Created>> refused(List<NewAccount> piece, Throwable failure) {
    return failure instanceof Refusal refusal
        ? Future.succeededFuture(piece.stream().map(_ -> Created.refused(refusal)).toList())
        : Future.failedFuture(failure);
  }

  private static List<Created> inOrder(List<Hashed> piece, List<Created> made) {
    var next = made.iterator();
    return piece.stream()
        .map(
            one ->
                switch (one) {
                  case Hashed.Good _ -> next.next();
                  case Hashed.Bad(Refusal refusal) -> Created.refused(refusal);
                })
        .toList();
  }

  private Future<Answer> issueTokens(Call call) {
    Fields fields = call.body();
    AccountId account = AccountId.parse(fields.text("account_id"));
    Fields device = fields.optionalObject("device");
    fields.end();
    SecurityWatch.account(call, account);
    return bus.request(
            new AccountCommand.IssueTokens(
                account, device == null ? null : DeviceInfo.read(device), apiKey))
        .map(TokenRoutes::tokens);
  }

  private Future<Answer> list(Call call) {
    AccountId after = call.query().after(AccountId::parse);
    return bus.request(new AccountCommand.ListAccounts(after, call.query().limit()))
        .map(Answer::ok);
  }

  private Future<Answer> makeBot(Call call) {
    Fields fields = call.body();
    String handle = fields.text("handle");
    String displayName = fields.optionalText("display_name");
    fields.end();
    SecurityWatch.handle(call, handle);
    return bus.request(new AccountCommand.MakeBot(handle, displayName))
        .map(
            made -> {
              SecurityWatch.account(call, made.account());
              return Answer.created(new BotToken(made.account(), made.token().value()));
            });
  }

  /// The lasting token of a bot in plain text: a client sees it only here.
  record BotToken(AccountId accountId, String token) {}

  private <R extends BusMessage> Future<Answer> about(
      Call call, Function<AccountId, AccountCommand<R>> command) {
    call.requireNoFields();
    AccountId account = call.account();
    SecurityWatch.account(call, account);
    return bus.request(command.apply(account)).map(Answer::ok);
  }

  private Future<Answer> remove(Call call) {
    call.requireNoFields();
    AccountId account = call.account();
    SecurityWatch.account(call, account);
    return bus.request(new AccountCommand.Remove(account)).map(_ -> Answer.noContent());
  }
}
