package io.confab.account;

import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountLifecycle.Memberships;
import io.confab.config.Config;
import io.confab.feed.AnnouncedTransactions;
import io.confab.feed.Announcer;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.postgres.Instance;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Secret;
import io.confab.retention.Rule;
import io.confab.retention.Swept;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The accounts of a node, put together: what clients ask, and what operators do.
public record AccountDomain(
    AccountHandler handler,
    Authentication authentication,
    Passwords passwords,
    Operations operations) {

  /// What operators work with, besides what clients may ask.
  public record Operations(
      AccountAdministration accounts,
      AccountStatusStore statuses,
      AccountLifecycle lifecycle,
      Bots bots,
      DeviceStore devices,
      SignIns signIns,
      DeviceRemoval removal,
      DeviceNews news,
      KeyRotation keys,
      UnfinishedRemovals removals,
      RetiredApiKeys apiKeys) {}

  /// Bound of the requests that wait for a batched read.
  private static final int MOST_WAITING = 20_000;

  public static AccountDomain create(
      Vertx vertx,
      Database database,
      Instance instance,
      Announcer announcer,
      Memberships memberships,
      Acquaintances acquaintances,
      Function<AccountId, Future<Set<DeviceId>>> connected,
      Config.Accounts config) {
    SecureRandom random = new SecureRandom();
    InstantSource clock = InstantSource.system();
    AnnouncedTransactions transactions = new AnnouncedTransactions(database, announcer);
    AccountStore accounts = new AccountStore(database);
    AccountStatusStore statuses = new AccountStatusStore(database);
    DeviceStore devices = new DeviceStore(database);
    BotTokenStore botTokens = new BotTokenStore(database);
    Passwords passwords = new Passwords(vertx, config.argon2(), random);
    KeyedDigest digest = new KeyedDigest(instance.refreshKey());
    Salts salts = new Salts(accounts, digest, config.argon2());
    SigningKeyStore keyStore = new SigningKeyStore(database);
    AccessTokens tokens =
        new AccessTokens(
            new SigningKeys(vertx, keyStore, random, clock), clock, config.accessTokenTtl());
    SignIns signIns =
        new SignIns(
            transactions,
            devices,
            new RefreshTokenStore(),
            new SignIns.RefreshPolicy(digest, config.refreshTokenTtl()),
            connected,
            random);
    DeviceNews news = new DeviceNews(announcer, acquaintances::inSealedRooms);
    DeviceRemoval removal = new DeviceRemoval(transactions, devices, news);
    Function<Authenticated, Future<Boolean>> isCurrent = isCurrent(devices);
    AccountAdministration administration =
        new AccountAdministration(transactions, accounts, signIns, passwords, random);
    AccountLifecycle lifecycle =
        new AccountLifecycle(transactions, statuses, accounts, devices, signIns, memberships);
    Bots bots = new Bots(accounts, statuses, signIns, botTokens, random);
    Access access = new Access(statuses, accounts, signIns, tokens);
    Devices signedInDevices = new Devices(transactions, devices, statuses, isCurrent, random);
    Authentication authentication =
        new Authentication(
            tokens,
            isCurrent,
            botTokens(botTokens),
            new TicketStore(database),
            config.ticketTtl(),
            random);
    AccountHandler handler =
        new AccountHandler(
            people(administration, accounts),
            salts,
            access,
            authentication,
            signedInDevices,
            new OwnHandler(
                new OwnAccount(transactions, accounts, signIns, announcer, acquaintances::inRooms),
                salts,
                removal,
                signedInDevices,
                new Blocks(transactions, new BlockStore(database)),
                lifecycle),
            new AdministrationHandler(
                new BulkAccounts(accounts, random),
                access,
                signedInDevices,
                lifecycle,
                bots,
                statuses),
            new KeptAnswers(new KeptAnswerStore(database), digest, random));
    KeyRotation keys =
        new KeyRotation(
            vertx, keyStore, config.signingKeyPeriod(), config.accessTokenTtl(), random);
    Operations operations =
        new Operations(
            administration,
            statuses,
            lifecycle,
            bots,
            devices,
            signIns,
            removal,
            news,
            keys,
            new UnfinishedRemovals(vertx, lifecycle),
            new RetiredApiKeys(vertx, devices, signIns));
    return new AccountDomain(handler, authentication, passwords, operations);
  }

  /// What goes when it is over.
  public static List<Rule> retention(Database database, Config.Retention config) {
    DeviceStore devices = new DeviceStore(database);
    Duration signedOut = config.signedOutDevices();
    return List.of(
        new Rule(Swept.REFRESH_TOKENS, new RefreshTokenStore()::forgetExpired),
        new Rule(
            Swept.DEVICES,
            (transaction, most) -> devices.forgetSignedOut(transaction, signedOut, most)),
        new Rule(Swept.TICKETS, new TicketStore(database)::forgetExpired),
        new Rule(Swept.ANSWERS, new KeptAnswerStore(database)::forgetOld));
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

  private static People people(AccountAdministration administration, AccountStore accounts) {
    BatchedRead<AccountId, List<Account>> byIds =
        new BatchedRead<>(MOST_WAITING, accounts::findByIds);
    return new People(administration, accounts, byIds::read);
  }
}
