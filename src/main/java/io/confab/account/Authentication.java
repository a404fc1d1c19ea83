package io.confab.account;

import io.confab.account.AccessTokens.Statement;
import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.Renewed;
import io.confab.account.AccountCommand.Ticket;
import io.confab.protocol.Caller;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.function.Function;

/// Says who bears an access token or a ticket, and makes tickets.
public final class Authentication {
  private final AccessTokens accessTokens;
  private final Function<Authenticated, Future<Boolean>> isCurrent;
  private final BotTokens bots;
  private final TicketStore tickets;
  private final Duration ticketTtl;
  private final SecureRandom random;

  /// @param isCurrent whether the device is still signed in by that; many may be asked at once,
  ///     so this should gather them ([DeviceStore#areCurrent])
  public Authentication(
      AccessTokens accessTokens,
      Function<Authenticated, Future<Boolean>> isCurrent,
      BotTokens bots,
      TicketStore tickets,
      Duration ticketTtl,
      SecureRandom random) {
    this.accessTokens = accessTokens;
    this.isCurrent = isCurrent;
    this.bots = bots;
    this.tickets = tickets;
    this.ticketTtl = ticketTtl;
    this.random = random;
  }

  /// By the token alone. That of a bot says nothing by itself and is looked up. Refusals:
  /// `unauthorized`, `token_expired`.
  public Future<Authenticated> read(Secret token) {
    return readWhole(token).map(Statement::signIn);
  }

  private Future<Statement> readWhole(Secret token) {
    return BotTokens.isOne(token)
        ? bots.find(token).map(signIn -> new Statement(signIn, BotTokens.FOR_EVER))
        : accessTokens.readWhole(token);
  }

  /// By a token whose sign-in still stands. Refusals: as [#read].
  public Future<Authenticated> byAccessToken(Secret token) {
    return read(token).compose(this::current);
  }

  private Future<Authenticated> current(Authenticated signIn) {
    return isCurrent
        .apply(signIn)
        .map(
            current -> {
              if (!current) {
                throw unauthorized("the device is signed out");
              }
              return signIn;
            });
  }

  /// The token must be good, and of this caller.
  Future<Renewed> renew(Caller caller, Secret token) {
    return readWhole(token)
        .compose(
            statement -> {
              if (!statement.signIn().caller().equals(caller)) {
                throw Refusal.invalidField("token", "is of another account or device");
              }
              return current(statement.signIn())
                  .map(signIn -> new Renewed(signIn, statement.expiresIn()));
            });
  }

  Future<Authenticated> byTicket(Secret ticket) {
    return tickets
        .take(new OpaqueToken(ticket))
        .map(found -> found.orElseThrow(() -> unauthorized("the ticket is not valid")));
  }

  Future<Ticket> issueTicket(Caller caller) {
    OpaqueToken ticket = OpaqueToken.random(random);
    return tickets
        .insert(ticket, caller, ticketTtl)
        .map(
            inserted -> {
              if (!inserted) {
                throw unauthorized("the device is signed out");
              }
              return new Ticket(ticket.text(), ticketTtl);
            });
  }

  private static Refusal unauthorized(String detail) {
    return new Refusal(ErrorCode.UNAUTHORIZED, detail);
  }
}
