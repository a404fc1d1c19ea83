package io.confab.account;

import io.confab.account.AccountCommand.Account;
import io.confab.config.Secret;
import io.confab.feed.AccountNews;
import io.confab.feed.Announcer;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.TextRules;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes and changes accounts on the word of whoever runs the server.
public final class AccountAdministration {
  private final Database database;
  private final AccountStore accounts;
  private final DeviceStore devices;
  private final Passwords passwords;
  private final Announcer announcer;
  private final SecureRandom random;
  private final RefreshTokenStore refreshTokens = new RefreshTokenStore();

  public AccountAdministration(
      Database database,
      AccountStore accounts,
      DeviceStore devices,
      Passwords passwords,
      Announcer announcer,
      SecureRandom random) {
    this.database = database;
    this.accounts = accounts;
    this.devices = devices;
    this.passwords = passwords;
    this.announcer = announcer;
    this.random = random;
  }

  /// Makes an account; without a display name it shows its handle. Refusals: `invalid_field`
  /// (`handle`, `password`, `display_name`), `conflict` (handle taken).
  public Future<Account> create(
      String handle, Secret password, @Nullable String displayName, ServerRole role) {
    String folded = TextRules.handle("handle", handle);
    TextRules.password("password", password.value());
    String shown = displayName == null ? folded : TextRules.name("display_name", displayName);
    Account account = new Account(AccountId.random(random), folded, shown);
    return passwords
        .hash(password)
        .compose(hash -> accounts.insert(account, role, hash))
        .map(
            inserted -> {
              if (!inserted) {
                throw new Refusal(ErrorCode.CONFLICT, "handle", "the handle is taken");
              }
              return account;
            });
  }

  /// Refusal: `not_found`.
  public Future<Void> setRole(String handle, ServerRole role) {
    return accounts
        .setRole(TextRules.handle("handle", handle), role)
        .map(
            found -> {
              if (!found) {
                throw noSuchAccount();
              }
              return null;
            });
  }

  /// Sets a password and signs all devices of the account out. Refusals: `not_found`,
  /// `invalid_field` (`handle`, `password`).
  public Future<Void> setPassword(String handle, Secret password) {
    TextRules.password("password", password.value());
    return accounts
        .findByHandle(TextRules.handle("handle", handle))
        .map(found -> found.orElseThrow(AccountAdministration::noSuchAccount).accountId())
        .compose(account -> passwords.hash(password).compose(hash -> setPassword(account, hash)));
  }

  private Future<Void> setPassword(AccountId account, String hash) {
    return database
        .transaction(
            transaction ->
                accounts
                    .setPassword(transaction, account, hash)
                    .compose(_ -> signOutAll(transaction, account)))
        .onSuccess(
            signedOut ->
                announcer.ring(
                    signedOut.stream()
                        .<AccountNews>map(device -> new AccountNews.Revoked(account, device))
                        .toList()))
        .mapEmpty();
  }

  private Future<List<DeviceId>> signOutAll(SqlClient transaction, AccountId account) {
    return devices
        .signOutAll(transaction, account)
        .compose(signedOut -> refreshTokens.deleteAll(transaction, account).map(_ -> signedOut));
  }

  private static Refusal noSuchAccount() {
    return new Refusal(ErrorCode.NOT_FOUND, "no such account");
  }
}
