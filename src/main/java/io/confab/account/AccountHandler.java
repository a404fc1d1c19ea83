package io.confab.account;

import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.Accounts;
import io.confab.account.AccountCommand.Authenticate;
import io.confab.account.AccountCommand.FindByHandle;
import io.confab.account.AccountCommand.FindByIds;
import io.confab.account.AccountCommand.FindEnded;
import io.confab.account.AccountCommand.IssueTicket;
import io.confab.account.AccountCommand.ReadMe;
import io.confab.account.AccountCommand.RedeemTicket;
import io.confab.account.AccountCommand.Refresh;
import io.confab.account.AccountCommand.Renew;
import io.confab.account.AccountCommand.SignIn;
import io.confab.account.AccountCommand.SignOut;
import io.confab.account.AccountCommand.SignUp;
import io.confab.account.AccountCommand.UpdateDevice;
import io.confab.bus.BusMessage;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;

/// Answers every command about accounts and access. May be used from any event loop.
public final class AccountHandler {
  private final boolean signUpAllowed;
  private final AccountStore accounts;
  private final AccountAdministration administration;
  private final Access access;
  private final Authentication authentication;
  private final Devices devices;

  public AccountHandler(
      boolean signUpAllowed,
      AccountStore accounts,
      AccountAdministration administration,
      Access access,
      Authentication authentication,
      Devices devices) {
    this.signUpAllowed = signUpAllowed;
    this.accounts = accounts;
    this.administration = administration;
    this.access = access;
    this.authentication = authentication;
    this.devices = devices;
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
      case SignUp signUp -> signUp(signUp);
      case SignIn signIn -> access.signIn(signIn, devices.identify(signIn.device()));
      case Refresh(var refreshToken) -> access.refresh(refreshToken);
      case SignOut(var caller) -> access.signOut(caller);
      case IssueTicket(var caller) -> authentication.issueTicket(caller);
      case Authenticate(var token) -> authentication.byAccessToken(token);
      case Renew(var caller, var token) -> authentication.renew(caller, token);
      case RedeemTicket(var ticket) -> authentication.byTicket(ticket);
      case FindEnded(var signIns) -> devices.findEnded(signIns);
      case UpdateDevice update -> devices.describe(update);
      case ReadMe(var caller) -> read(caller);
      case FindByIds(var ids) -> accounts.findByIds(ids).map(Accounts::new);
      case FindByHandle(var handle) -> find(handle);
    };
  }

  private Future<Account> signUp(SignUp command) {
    if (!signUpAllowed) {
      throw new Refusal(ErrorCode.FORBIDDEN, "sign-up is switched off");
    }
    return administration.create(
        command.handle(), command.password(), command.displayName(), ServerRole.USER);
  }

  private Future<Account> read(AccountId account) {
    return accounts
        .findByIds(List.of(account))
        .map(
            found ->
                found.stream()
                    .findFirst()
                    .orElseThrow(() -> new Refusal(ErrorCode.NOT_FOUND, "no such account")));
  }

  private Future<Accounts> find(String handle) {
    return accounts
        .findByHandle(handle.toLowerCase(Locale.ROOT))
        .map(found -> new Accounts(found.stream().toList()));
  }
}
