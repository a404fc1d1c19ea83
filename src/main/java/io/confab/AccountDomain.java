package io.confab;

import io.confab.account.Access;
import io.confab.account.AccessTokens;
import io.confab.account.AccountAdministration;
import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.Standing;
import io.confab.account.AccountHandler;
import io.confab.account.AccountLifecycle;
import io.confab.account.AccountLifecycle.Memberships;
import io.confab.account.AccountStore;
import io.confab.account.AccountTransactions;
import io.confab.account.AdministrationHandler;
import io.confab.account.Authentication;
import io.confab.account.BlockStore;
import io.confab.account.BotTokenStore;
import io.confab.account.BotTokens;
import io.confab.account.Bots;
import io.confab.account.BulkAccounts;
import io.confab.account.DeviceStore;
import io.confab.account.Devices;
import io.confab.account.KeyRotation;
import io.confab.account.OwnAccount;
import io.confab.account.OwnHandler;
import io.confab.account.Passwords;
import io.confab.account.People;
import io.confab.account.RefreshTokenStore;
import io.confab.account.SignIns;
import io.confab.account.SigningKeyStore;
import io.confab.account.SigningKeys;
import io.confab.account.StandingStore;
import io.confab.account.TicketStore;
import io.confab.config.Config;
import io.confab.config.Secret;
import io.confab.feed.Announcer;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.postgres.Instance;
import io.confab.protocol.AccountId;
import io.confab.room.CompanyStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The accounts of a node, put together: what clients ask, and what operators do.
record AccountDomain(
    AccountHandler handler,
    Authentication authentication,
    AccountOperations operations,
    KeyRotation keys,
    Passwords passwords) {

  /// How many may wait to be told whether a sign-in still holds, and the like.
  private static final int MOST_WAITING = 20_000;

  static AccountDomain create(
      Vertx vertx,
      Database database,
      Instance instance,
      Announcer announcer,
      Memberships memberships,
      Config.Accounts config) {
    SecureRandom random = new SecureRandom();
    InstantSource clock = InstantSource.system();
    AccountTransactions transactions = new AccountTransactions(database, announcer);
    AccountStore accounts = new AccountStore(database);
    StandingStore standings = new StandingStore(database);
    DeviceStore devices = new DeviceStore(database);
    BotTokenStore bots = new BotTokenStore(database);
    Passwords passwords = new Passwords(vertx, config.argon2(), random);
    SigningKeyStore keyStore = new SigningKeyStore(database);
    AccessTokens tokens =
        new AccessTokens(
            new SigningKeys(vertx, keyStore, random, clock), clock, config.accessTokenTtl());
    SignIns signIns =
        new SignIns(
            transactions,
            devices,
            new RefreshTokenStore(),
            new SignIns.RefreshPolicy(instance.refreshKey(), config.refreshTokenTtl()),
            random);
    Function<Authenticated, Future<Boolean>> isCurrent = isCurrent(devices);
    AccountAdministration administration =
        new AccountAdministration(transactions, accounts, signIns, passwords, random);
    AccountLifecycle lifecycle =
        new AccountLifecycle(transactions, standings, accounts, devices, signIns, memberships);
    Access access = new Access(transactions, standings, accounts, passwords, signIns, tokens);
    Devices devicesAsked = new Devices(devices, standings, isCurrent, random);
    Authentication authentication =
        new Authentication(
            tokens,
            isCurrent,
            botTokens(bots),
            new TicketStore(database),
            config.ticketTtl(),
            random);
    AccountHandler handler =
        new AccountHandler(
            people(config, administration, accounts),
            access,
            authentication,
            devicesAsked,
            new OwnHandler(
                new OwnAccount(
                    transactions,
                    accounts,
                    passwords,
                    signIns,
                    announcer,
                    new CompanyStore(database)::find),
                signIns,
                devices,
                new BlockStore(database)),
            new AdministrationHandler(
                new BulkAccounts(accounts, passwords, random),
                access,
                devicesAsked,
                lifecycle,
                standing(standings)));
    KeyRotation keys =
        new KeyRotation(
            vertx, keyStore, config.signingKeyPeriod(), config.accessTokenTtl(), random);
    AccountOperations operations =
        new AccountOperations(
            administration,
            lifecycle,
            new Bots(transactions, accounts, standings, signIns, bots, random),
            devices,
            signIns,
            keys);
    return new AccountDomain(handler, authentication, operations, keys, passwords);
  }

  private static Function<Authenticated, Future<Boolean>> isCurrent(DeviceStore devices) {
    BatchedRead<Authenticated, Map<Authenticated, Boolean>> current =
        new BatchedRead<>(MOST_WAITING, devices::areCurrent);
    return signIn -> current.read(List.of(signIn)).map(all -> all.get(signIn));
  }

  private static BotTokens botTokens(BotTokenStore store) {
    BatchedRead<Secret, Map<Secret, Authenticated>> found =
        new BatchedRead<>(MOST_WAITING, store::find);
    return new BotTokens(
        token -> found.read(List.of(token)).map(all -> Optional.ofNullable(all.get(token))));
  }

  private static Function<AccountId, Future<Optional<Standing>>> standing(StandingStore store) {
    BatchedRead<AccountId, Map<AccountId, Standing>> found =
        new BatchedRead<>(MOST_WAITING, store::read);
    return account ->
        found.read(List.of(account)).map(all -> Optional.ofNullable(all.get(account)));
  }

  private static People people(
      Config.Accounts config, AccountAdministration administration, AccountStore accounts) {
    BatchedRead<AccountId, List<Account>> byIds =
        new BatchedRead<>(MOST_WAITING, accounts::findByIds);
    return new People(config.signUp(), administration, accounts, byIds::read);
  }
}
