package io.confab.account;

import io.confab.account.AccountCommand.Administration;
import io.confab.account.AccountCommand.Approach;
import io.confab.account.AccountCommand.CountChanges;
import io.confab.account.AccountCommand.FindByHandle;
import io.confab.account.AccountCommand.FindByIds;
import io.confab.account.AccountCommand.FindEnded;
import io.confab.account.AccountCommand.IssueTicket;
import io.confab.account.AccountCommand.Once;
import io.confab.account.AccountCommand.Own;
import io.confab.account.AccountCommand.ReadMe;
import io.confab.account.AccountCommand.RedeemTicket;
import io.confab.account.AccountCommand.Refresh;
import io.confab.account.AccountCommand.Renew;
import io.confab.account.AccountCommand.SignIn;
import io.confab.account.AccountCommand.SignOut;
import io.confab.account.AccountCommand.SignUp;
import io.confab.account.AccountCommand.UpdateDevice;
import io.confab.bus.BusMessage;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;

/// Answers every command about accounts and access. May be used from any event loop.
public final class AccountHandler {
  private final People people;
  private final Salts salts;
  private final Access access;
  private final Authentication authentication;
  private final Devices devices;
  private final OwnHandler own;
  private final AdministrationHandler administration;
  private final KeptAnswers kept;

  public AccountHandler(
      People people,
      Salts salts,
      Access access,
      Authentication authentication,
      Devices devices,
      OwnHandler own,
      AdministrationHandler administration,
      KeptAnswers kept) {
    this.people = people;
    this.salts = salts;
    this.access = access;
    this.authentication = authentication;
    this.devices = devices;
    this.own = own;
    this.administration = administration;
    this.kept = kept;
  }

  /// The answer that the command's type names, or a refusal.
  public Future<? extends BusMessage> handle(AccountCommand<?> command) {
    try {
      return answer(command);
    } catch (Refusal refusal) {
      return Future.failedFuture(refusal);
    }
  }

  private Future<? extends BusMessage> answer(AccountCommand<?> command) {
    return switch (command) {
      case SignUp signUp -> people.signUp(signUp);
      case Approach approach -> salts.approach(approach);
      case SignIn signIn ->
          access.signIn(
              signIn, devices.identify(signIn.device(), salts.seenFrom(signIn.from()), null));
      case Refresh refresh -> access.refresh(refresh);
      case SignOut(var signIn, var token) -> access.signOut(signIn, token);
      case IssueTicket(var caller) -> authentication.issueTicket(caller);
      case Renew(var caller, var token) -> authentication.renew(caller, token);
      case RedeemTicket(var ticket) -> authentication.byTicket(ticket);
      case FindEnded(var signIns) -> devices.findEnded(signIns);
      case CountChanges(var accounts) -> devices.countChanges(accounts);
      case UpdateDevice update -> devices.describe(update);
      case ReadMe(var caller) -> people.read(caller);
      case FindByIds(var ids) -> people.find(ids);
      case FindByHandle(var handle) -> people.find(handle);
      case Own<?> asked -> own.handle(asked);
      case Administration<?> asked -> administration.handle(asked);
      case Once<?> asked -> kept.handle(asked);
    };
  }
}
