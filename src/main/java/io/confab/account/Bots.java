package io.confab.account;

import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.MadeBot;
import io.confab.account.AccountCommand.NewAccount;
import io.confab.account.AccountStore.NewRow;
import io.confab.account.SignIns.Begun;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes bots: accounts without a password, which come in by a token that does not expire. Each
/// token has a device of its own and ends with it.
public final class Bots {
  private final AccountStore accounts;
  private final AccountStatusStore statuses;
  private final SignIns signIns;
  private final BotTokenStore tokens;
  private final SecureRandom random;

  public Bots(
      AccountStore accounts,
      AccountStatusStore statuses,
      SignIns signIns,
      BotTokenStore tokens,
      SecureRandom random) {
    this.accounts = accounts;
    this.statuses = statuses;
    this.signIns = signIns;
    this.tokens = tokens;
    this.random = random;
  }

  /// Makes a bot with its first token, or one more token for a bot that is there, which keeps its
  /// display name. The account is told of the device. Refusals:
  /// `invalid_field` (`handle`, `display_name`), `conflict` for the handle of somebody else,
  /// `forbidden` for a suspended bot.
  public Future<MadeBot> make(String handle, @Nullable String displayName) {
    NewAccount asked = new NewAccount(handle, displayName, null, ServerRole.BOT);
    Account fresh = AccountRules.make(asked, AccountId.random(random));
    return accounts
        .insert(List.of(new NewRow(fresh, ServerRole.BOT, null)))
        .compose(
            inserted ->
                inserted.isEmpty()
                    ? existing(fresh.handle())
                    : Future.succeededFuture(fresh.accountId()))
        .compose(account -> token(account, fresh.handle()));
  }

  private Future<AccountId> existing(String handle) {
    return accounts
        .findByHandle(handle)
        .map(found -> found.map(Account::accountId).orElseThrow(AccountRules::handleTaken));
  }

  private Future<MadeBot> token(AccountId account, String handle) {
    Device device =
        new Device(
            new DeviceId(Long.toString(random.nextLong() >>> 1, 36)), handle, "bot", null, null);
    Caller caller = new Caller(account, device.id());
    return signIns
        .makingRoom(
            (transaction, connected) ->
                statuses
                    .hold(transaction, account)
                    .map(AccountRules::requireBot)
                    .compose(_ -> signIns.beginBot(transaction, caller, device, connected))
                    .compose(begun -> kept(transaction, begun)))
        .map(begun -> new MadeBot(account, handle, device.id(), BotTokens.shown(begun.token())));
  }

  private Future<Outcome<Begun>> kept(SqlClient transaction, Begun begun) {
    return tokens
        .insert(transaction, begun.token(), begun.signIn())
        .compose(_ -> statuses.countChange(transaction, begun.signIn().caller().account()))
        .map(begun::told);
  }
}
