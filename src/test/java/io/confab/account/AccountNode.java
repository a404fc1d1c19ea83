package io.confab.account;

import io.confab.account.SignIns.RefreshPolicy;
import io.confab.bus.BusMessage;
import io.confab.config.Config;
import io.confab.feed.AnnouncedTransactions;
import io.confab.postgres.Database;
import io.confab.postgres.Instance;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.Secret;
import io.confab.testing.Futures;
import io.confab.testing.RecordingAnnouncer;
import io.confab.testing.TestConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The accounts of one node on a database, wired as a node wires them.
public final class AccountNode implements AutoCloseable {
  static final Secret PASSWORD = new Secret("correct horse");
  static final String HOME = "192.0.2.1";
  private static final Passwords.Place PLACE = Passwords.Place.stranger(HOME);

  public final RecordingAnnouncer announcer = new RecordingAnnouncer();
  public final AccountAdministration administration;
  public final AccountLifecycle lifecycle;
  public final Bots bots;
  public final KeyRotation keys;
  public final List<AccountId> removed = new CopyOnWriteArrayList<>();
  /// Who has a session.
  public volatile Supplier<Future<Set<DeviceId>>> registry = () -> Future.succeededFuture(Set.of());

  final RetiredApiKeys apiKeys;
  public volatile boolean dies;
  public volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final Database database;
  public final Passwords passwords;
  private final AccountHandler handler;
  private final Authentication authentication;

  public AccountNode(Vertx vertx, PostgresUrl url) {
    Config.Accounts config = TestConfig.accounts();
    SecureRandom random = new SecureRandom();
    InstantSource clock = () -> now;
    database = new Database(vertx, url, TestConfig.postgres());
    Instance instance = Futures.get(Instance.read(database));
    KeyedDigest digest = new KeyedDigest(instance.refreshKey());
    passwords = new Passwords(vertx, config.argon2(), random);
    AnnouncedTransactions transactions = new AnnouncedTransactions(database, announcer);
    AccountStore accounts = new AccountStore(database);
    AccountStatusStore statuses = new AccountStatusStore(database);
    Salts salts = new Salts(accounts, digest, config.argon2());
    DeviceStore devices = new DeviceStore(database);
    BotTokenStore botTokens = new BotTokenStore(database);
    SigningKeyStore keyStore = new SigningKeyStore(database);
    AccessTokens accessTokens =
        new AccessTokens(
            new SigningKeys(vertx, keyStore, random, clock), clock, config.accessTokenTtl());
    keys =
        new KeyRotation(
            vertx, keyStore, config.signingKeyPeriod(), config.accessTokenTtl(), random);
    SignIns signIns =
        new SignIns(
            transactions,
            devices,
            new RefreshTokenStore(),
            new RefreshPolicy(digest, config.refreshTokenTtl()),
            _ -> registry.get(),
            random);
    apiKeys = new RetiredApiKeys(vertx, devices, signIns);
    administration = new AccountAdministration(transactions, accounts, signIns, passwords, random);
    lifecycle =
        new AccountLifecycle(
            transactions,
            statuses,
            accounts,
            devices,
            signIns,
            account -> {
              removed.add(account);
              return dies ? Future.failedFuture("the node died") : Future.succeededFuture();
            });
    bots = new Bots(accounts, statuses, signIns, botTokens, random);
    Access access = new Access(statuses, accounts, signIns, accessTokens);
    Devices signedInDevices =
        new Devices(
            transactions,
            devices,
            statuses,
            signIn -> devices.areCurrent(List.of(signIn)).map(all -> all.get(signIn)),
            random);
    authentication =
        new Authentication(
            accessTokens,
            signIn ->
                devices
                    .areCurrent(List.of(signIn))
                    .map(current -> current.getOrDefault(signIn, false)),
            new BotTokens(
                token ->
                    botTokens.find(List.of(token)).map(all -> Optional.ofNullable(all.get(token)))),
            new TicketStore(database),
            config.ticketTtl(),
            random);
    handler =
        new AccountHandler(
            new People(administration, accounts, ids -> accounts.findByIds(List.copyOf(ids))),
            salts,
            access,
            authentication,
            signedInDevices,
            new OwnHandler(
                new OwnAccount(
                    transactions,
                    accounts,
                    signIns,
                    announcer,
                    _ -> Future.succeededFuture(List.of())),
                salts,
                new DeviceRemoval(
                    transactions,
                    devices,
                    new DeviceNews(announcer, _ -> Future.succeededFuture(List.of()))),
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
  }

  @SuppressWarnings("unchecked") // the command names the type of its answer
  public <R extends BusMessage> Future<R> ask(AccountCommand<R> command) {
    return (Future<R>) handler.handle(command);
  }

  public Future<AccountCommand.Authenticated> authenticate(Secret accessToken) {
    return authentication.byAccessToken(accessToken);
  }

  public <R extends BusMessage> R get(AccountCommand<R> command) {
    return Futures.get(ask(command));
  }

  AccountCommand.Account signUp(String handle) {
    HashedPassword password = Futures.get(passwords.hash(PASSWORD, PLACE));
    return get(new AccountCommand.SignUp(handle, password, null));
  }

  AccountCommand.Tokens signIn(String handle, @Nullable DeviceInfo device) {
    return Futures.get(trySignIn(handle, PASSWORD, device));
  }

  /// As the edge does it.
  Future<AccountCommand.Tokens> trySignIn(
      String handle, Secret password, @Nullable DeviceInfo device) {
    return ask(new AccountCommand.Approach(handle, HOME, null))
        .compose(approached -> passwords.prove(password, approached.salt(), PLACE))
        .compose(proof -> ask(new AccountCommand.SignIn(handle, proof, device, HOME)));
  }

  /// What the refresh token of these is traded for, which must be good.
  AccountCommand.Tokens refresh(AccountCommand.Tokens tokens) {
    return (AccountCommand.Tokens) get(new AccountCommand.Refresh(tokens.refreshToken(), HOME));
  }

  @Override
  public void close() {
    passwords.close();
    Futures.get(database.close());
  }
}
