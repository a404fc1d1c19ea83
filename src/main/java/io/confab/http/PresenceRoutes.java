package io.confab.http;

import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.PUT;

import io.confab.bus.Bus;
import io.confab.limit.Limit;
import io.confab.presence.PresenceCommand.PresenceViews;
import io.confab.presence.PresenceCommand.ReadPresence;
import io.confab.presence.PresenceCommand.SetPresence;
import io.confab.protocol.AccountId;
import io.confab.protocol.Fields;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.TextRules;
import io.vertx.core.Future;
import java.util.List;

/// Whether others are there, and what the caller is to others.
final class PresenceRoutes {
  /// As many as fit into a request line, even where their commas are percent-encoded.
  private static final int ACCOUNTS = 400;

  private final Bus bus;

  PresenceRoutes(Bus bus) {
    this.bus = bus;
  }

  void mount(Routes routes) {
    routes.signedIn(GET, "/v1/presence?accounts=", Limit.READS, this::read);
    routes.signedIn(PUT, "/v1/me/presence", Limit.PRESENCE, this::set);
  }

  private Future<Answer> read(AccountId caller, Call call) {
    List<AccountId> accounts = call.query().accounts("accounts", ACCOUNTS);
    return (accounts.isEmpty()
            ? Future.succeededFuture(new PresenceViews(List.of()))
            : bus.request(new ReadPresence(caller, accounts)))
        .map(Answer::ok);
  }

  private Future<Answer> set(AccountId caller, Call call) {
    Fields fields = call.body();
    PresenceStatus status = PresenceStatus.read(fields, "status");
    String text = TextRules.statusText(fields, "text");
    fields.end();
    return bus.request(new SetPresence(caller, status, text)).map(_ -> Answer.noContent());
  }
}
