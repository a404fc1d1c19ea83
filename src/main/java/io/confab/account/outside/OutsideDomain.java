package io.confab.account.outside;

import io.confab.account.Authentication;
import io.confab.config.OutsideIssuer;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;

/// Who bears tokens, put together: ours and those of outside issuers.
public record OutsideDomain(BearerHandler handler) {
  /// How many may wait to be known, or to be let in.
  private static final int MOST_WAITING = 20_000;

  /// @param pace of what is asked when many connect
  public static OutsideDomain create(
      Vertx vertx,
      Database database,
      Authentication ours,
      List<OutsideIssuer> issuers,
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
                new SecureRandom())));
  }
}
