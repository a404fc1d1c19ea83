package io.confab.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.Tokens;
import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.bus.Lane;
import io.confab.config.Secret;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.Fields;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Accounts and access.
final class AccountRoutes {
  private static final int IDS = 100;

  private final Bus bus;

  AccountRoutes(Bus bus) {
    this.bus = bus;
  }

  void mount(Routes routes) {
    routes.open(POST, "/v1/accounts", this::signUp);
    routes.open(POST, "/v1/tokens", this::signIn);
    routes.open(POST, "/v1/tokens/refresh", this::refresh);
    routes.onDevice(DELETE, "/v1/tokens", this::signOut);
    routes.onDevice(POST, "/v1/tickets", this::issueTicket);
    routes.signedIn(GET, "/v1/me", this::readMe);
    routes.signedIn(GET, "/v1/accounts?ids=&handle=", this::find);
  }

  private Future<Answer> signUp(Call call) {
    Fields fields = call.body();
    String handle = fields.text("handle");
    var command =
        new AccountCommand.SignUp(
            handle, new Secret(fields.text("password")), fields.optionalText("display_name"));
    fields.end();
    return ask(ofHandle(handle), command).map(Answer::created);
  }

  private Future<Answer> signIn(Call call) {
    Fields fields = call.body();
    String handle = fields.text("handle");
    Secret password = new Secret(fields.text("password"));
    Fields device = fields.optionalObject("device");
    fields.end();
    var command =
        new AccountCommand.SignIn(
            handle, password, device == null ? null : DeviceInfo.read(device));
    return ask(ofHandle(handle), command).map(AccountRoutes::tokens);
  }

  private Future<Answer> refresh(Call call) {
    Fields fields = call.body();
    String token = fields.text("refresh_token");
    fields.end();
    return ask(Lane.of(token.hashCode()), new AccountCommand.Refresh(new Secret(token)))
        .map(AccountRoutes::tokens);
  }

  private Future<Answer> signOut(Caller caller, Call call) {
    call.requireNoFields();
    return ask(of(caller), new AccountCommand.SignOut(caller)).map(_ -> Answer.noContent());
  }

  private Future<Answer> issueTicket(Caller caller, Call call) {
    call.requireNoFields();
    return ask(of(caller), new AccountCommand.IssueTicket(caller))
        .map(
            issued ->
                Answer.ok(new Ticket(issued.ticket().value(), issued.expiresIn().toSeconds())));
  }

  private Future<Answer> readMe(AccountId caller, Call call) {
    return ask(of(caller), new AccountCommand.ReadMe(caller)).map(Answer::ok);
  }

  private Future<Answer> find(AccountId caller, Call call) {
    String ids = call.query().text("ids");
    String handle = call.query().text("handle");
    if (handle == null) {
      return ask(of(caller), new AccountCommand.FindByIds(ids(ids))).map(Answer::ok);
    }
    if (ids != null) {
      throw Refusal.invalidField("handle", "stands beside ids");
    }
    return ask(ofHandle(handle), new AccountCommand.FindByHandle(handle)).map(Answer::ok);
  }

  /// The ids in a list; what no id looks like is left out, like an id that nobody has.
  private static List<AccountId> ids(@Nullable String text) {
    List<String> ids = text == null || text.isEmpty() ? List.of() : Arrays.asList(text.split(","));
    if (ids.isEmpty() || ids.size() > IDS) {
      throw Refusal.invalidField("ids", "must have 1 to " + IDS + " ids");
    }
    return ids.stream().flatMap(AccountRoutes::id).distinct().toList();
  }

  private static Stream<AccountId> id(String text) {
    try {
      return Stream.of(AccountId.parse(text));
    } catch (Refusal _) {
      return Stream.empty();
    }
  }

  private <R extends BusMessage> Future<R> ask(Lane lane, AccountCommand<R> command) {
    return bus.request(AccountCommand.ADDRESS, lane, command);
  }

  private static Lane of(Caller caller) {
    return of(caller.account());
  }

  private static Lane of(AccountId account) {
    return Lane.of(account.value());
  }

  private static Lane ofHandle(String handle) {
    return Lane.of(handle.toLowerCase(Locale.ROOT).hashCode());
  }

  private static Answer tokens(Tokens tokens) {
    return Answer.ok(
        new TokenPair(
            tokens.accessToken().value(),
            tokens.refreshToken().value(),
            tokens.expiresIn().toSeconds(),
            tokens.accountId(),
            tokens.deviceId()));
  }

  /// The secrets of an answer, written out: this is the one time that a client sees them.
  record TokenPair(
      String accessToken,
      String refreshToken,
      long expiresInS,
      AccountId accountId,
      DeviceId deviceId) {}

  record Ticket(String ticket, long expiresInS) {}
}
