package io.confab.account;

import io.confab.account.SignIns.RefreshPolicy;
import io.confab.bus.BusMessage;
import io.confab.config.Config;
import io.confab.config.Secret;
import io.confab.postgres.Database;
import io.confab.postgres.Instance;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.DeviceInfo;
import io.confab.testing.Futures;
import io.confab.testing.RecordingAnnouncer;
import io.confab.testing.TestConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The accounts of one node on a database, wired as a node wires them.
public final class AccountNode implements AutoCloseable {
  public final RecordingAnnouncer announcer = new RecordingAnnouncer();
  public final AccountAdministration administration;
  public volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final Database database;
  private final Passwords passwords;
  private final AccountHandler handler;

  public AccountNode(Vertx vertx, PostgresUrl url) {
    Config.Accounts config = TestConfig.accounts();
    SecureRandom random = new SecureRandom();
    InstantSource clock = () -> now;
    database = new Database(vertx, url, TestConfig.postgres());
    Instance instance = Futures.get(Instance.read(database));
    passwords = new Passwords(vertx, config.argon2(), random);
    AccountStore accounts = new AccountStore(database);
    DeviceStore devices = new DeviceStore(database);
    AccessTokens accessTokens =
        new AccessTokens(
            new SigningKeys(vertx, new SigningKeyStore(database), random, clock),
            clock,
            config.accessTokenTtl());
    administration =
        new AccountAdministration(database, accounts, devices, passwords, announcer, random);
    SignIns signIns =
        new SignIns(
            database,
            devices,
            new RefreshTokenStore(),
            new RefreshPolicy(instance.refreshKey(), config.refreshTokenTtl()),
            random);
    handler =
        new AccountHandler(
            config.signUp(),
            accounts,
            administration,
            new Access(database, accounts, passwords, signIns, accessTokens, announcer),
            new Authentication(
                accessTokens,
                signIn ->
                    devices
                        .areCurrent(List.of(signIn))
                        .map(current -> current.getOrDefault(signIn, false)),
                new TicketStore(database),
                config.ticketTtl(),
                random),
            new Devices(
                devices,
                signIn -> devices.areCurrent(List.of(signIn)).map(all -> all.get(signIn)),
                random));
  }

  @SuppressWarnings("unchecked") // the command names the type of its answer
  public <R extends BusMessage> Future<R> ask(AccountCommand<R> command) {
    return (Future<R>) handler.handle(command);
  }

  public <R extends BusMessage> R get(AccountCommand<R> command) {
    return Futures.get(ask(command));
  }

  AccountCommand.Account signUp(String handle) {
    return get(new AccountCommand.SignUp(handle, new Secret("correct horse"), null));
  }

  AccountCommand.Tokens signIn(String handle, @Nullable DeviceInfo device) {
    return get(new AccountCommand.SignIn(handle, new Secret("correct horse"), device));
  }

  @Override
  public void close() {
    passwords.close();
    Futures.get(database.close());
  }
}
