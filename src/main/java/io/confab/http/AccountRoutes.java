package io.confab.http;

import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import io.confab.account.AccountCommand;
import io.confab.bus.Bus;
import io.confab.limit.Limit;
import io.confab.protocol.AccountId;
import io.confab.protocol.Fields;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import java.util.function.Supplier;

/// Making and finding accounts.
final class AccountRoutes {
  private static final int IDS = 100;

  private final Bus bus;
  private final PasswordCalls passwords;

  AccountRoutes(Bus bus, PasswordCalls passwords) {
    this.bus = bus;
    this.passwords = passwords;
  }

  void mount(Routes routes) {
    routes.open(POST, "/v1/accounts", Limit.SIGN_UPS, this::signUp);
    routes.byToken(GET, "/v1/accounts?ids=&handle=", Limit.READS, this::find);
  }

  private Supplier<Future<Answer>> signUp(Call call) {
    Fields fields = call.body();
    String handle = fields.text("handle");
    Secret password = new Secret(fields.text("password"));
    String displayName = fields.optionalText("display_name");
    fields.end();
    return () ->
        passwords.signUp(call.address(), handle, password, displayName).map(Answer::created);
  }

  private Future<Answer> find(AccountId caller, Call call) {
    String ids = call.query().text("ids");
    String handle = call.query().text("handle");
    if (handle == null) {
      return bus.request(new AccountCommand.FindByIds(call.query().accounts("ids", IDS)))
          .map(Answer::ok);
    }
    if (ids != null) {
      throw Refusal.invalidField("handle", "stands beside ids");
    }
    return bus.request(new AccountCommand.FindByHandle(handle)).map(Answer::ok);
  }
}
