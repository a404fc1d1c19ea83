package io.confab.account;

import io.confab.account.AccountCommand.AccountPage;
import io.confab.account.AccountCommand.AccountState;
import io.confab.account.AccountCommand.Administration;
import io.confab.account.AccountCommand.CreateAccounts;
import io.confab.account.AccountCommand.IssueTokens;
import io.confab.account.AccountCommand.ListAccounts;
import io.confab.account.AccountCommand.MakeBot;
import io.confab.account.AccountCommand.ReadAccount;
import io.confab.account.AccountCommand.ReadStatus;
import io.confab.account.AccountCommand.Remove;
import io.confab.account.AccountCommand.Restore;
import io.confab.account.AccountCommand.Suspend;
import io.confab.account.AccountCommand.Tokens;
import io.confab.bus.BusMessage;
import io.confab.postgres.Page;
import io.vertx.core.Future;

/// Answers the commands of administrators.
public final class AdministrationHandler {
  private final BulkAccounts bulk;
  private final Access access;
  private final Devices devices;
  private final AccountLifecycle lifecycle;
  private final Bots bots;
  private final AccountStatusStore statuses;

  public AdministrationHandler(
      BulkAccounts bulk,
      Access access,
      Devices devices,
      AccountLifecycle lifecycle,
      Bots bots,
      AccountStatusStore statuses) {
    this.bulk = bulk;
    this.access = access;
    this.devices = devices;
    this.lifecycle = lifecycle;
    this.bots = bots;
    this.statuses = statuses;
  }

  Future<? extends BusMessage> handle(Administration<?> command) {
    return switch (command) {
      case CreateAccounts(var accounts) -> bulk.create(accounts);
      case IssueTokens issue -> issue(issue);
      case Suspend(var account) -> lifecycle.suspend(account);
      case Restore(var account) -> lifecycle.restore(account);
      case Remove(var account) -> lifecycle.remove(account);
      case ListAccounts list ->
          statuses
              .list(list.after(), list.limit() + 1)
              .map(found -> Page.of(found, list.limit(), AccountState::accountId))
              .map(page -> new AccountPage(page.items(), page.next()));
      case ReadAccount(var account) -> statuses.find(account);
      case MakeBot(var handle, var displayName) -> bots.make(handle, displayName);
      case ReadStatus(var account) -> statuses.require(account);
    };
  }

  private Future<Tokens> issue(IssueTokens command) {
    Device device = devices.identify(command.device(), null, command.issuedBy().bytes());
    return statuses
        .require(command.account())
        .compose(_ -> access.issue(command.account(), device));
  }
}
