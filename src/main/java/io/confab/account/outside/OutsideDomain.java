package io.confab.account.outside;

import io.confab.account.Authentication;
import io.confab.config.OutsideIssuer;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Builds what answers who bears a token: one of ours or of an outside issuer.
public record OutsideDomain(BearerHandler handler) {
  /// Bound of the requests that wait for a batched read.
  private static final int MOST_WAITING = 20_000;

  /// @param connected the devices of an account that have a session now
  /// @param pace of what is asked when many connect
  public static OutsideDomain create(
      Vertx vertx,
      Database database,
      Authentication ours,
      List<OutsideIssuer> issuers,
      Function<AccountId, Future<Set<DeviceId>>> connected,
      BatchedRead.Pace pace) {
    OutsideAccountStore store = new OutsideAccountStore(database);
    return new OutsideDomain(
        new BearerHandler(
            ours,
            new OutsideTokens(issuers, new PublishedKeys(vertx), InstantSource.system()),
            new OutsideAccounts(
                database,
                store,
                new BatchedRead<>(MOST_WAITING, store::find),
                new BatchedRead<>(MOST_WAITING, store::arrive, pace),
                connected,
                new SecureRandom())));
  }
}
