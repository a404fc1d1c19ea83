package io.confab;

import io.confab.account.Access;
import io.confab.account.AccessTokens;
import io.confab.account.AccountAdministration;
import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountHandler;
import io.confab.account.AccountStore;
import io.confab.account.Authentication;
import io.confab.account.DeviceStore;
import io.confab.account.Devices;
import io.confab.account.Passwords;
import io.confab.account.RefreshTokenStore;
import io.confab.account.SignIns;
import io.confab.account.SigningKeyStore;
import io.confab.account.SigningKeys;
import io.confab.account.TicketStore;
import io.confab.config.Config;
import io.confab.feed.Announcer;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.postgres.Instance;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// The accounts of a node, put together: what clients ask, and what operators do.
record AccountDomain(
    AccountHandler handler,
    Authentication authentication,
    AccountAdministration administration,
    Passwords passwords) {

  /// How many may wait to be told whether a sign-in still holds.
  private static final int MOST_WAITING = 20_000;

  static AccountDomain create(
      Vertx vertx,
      Database database,
      Instance instance,
      Announcer announcer,
      Config.Accounts config) {
    SecureRandom random = new SecureRandom();
    InstantSource clock = InstantSource.system();
    AccountStore accounts = new AccountStore(database);
    DeviceStore devices = new DeviceStore(database);
    Passwords passwords = new Passwords(vertx, config.argon2(), random);
    AccountAdministration administration =
        new AccountAdministration(database, accounts, devices, passwords, announcer, random);
    AccessTokens tokens =
        new AccessTokens(
            new SigningKeys(vertx, new SigningKeyStore(database), random, clock),
            clock,
            config.accessTokenTtl());
    SignIns signIns =
        new SignIns(
            database,
            devices,
            new RefreshTokenStore(),
            new SignIns.RefreshPolicy(instance.refreshKey(), config.refreshTokenTtl()),
            random);
    BatchedRead<Authenticated, Map<Authenticated, Boolean>> current =
        new BatchedRead<>(MOST_WAITING, devices::areCurrent);
    Function<Authenticated, Future<Boolean>> isCurrent =
        signIn -> current.read(List.of(signIn)).map(all -> all.get(signIn));
    Authentication authentication =
        new Authentication(
            tokens, isCurrent, new TicketStore(database), config.ticketTtl(), random);
    return new AccountDomain(
        new AccountHandler(
            config.signUp(),
            accounts,
            administration,
            new Access(database, accounts, passwords, signIns, tokens, announcer),
            authentication,
            new Devices(devices, isCurrent, random)),
        authentication,
        administration,
        passwords);
  }
}
