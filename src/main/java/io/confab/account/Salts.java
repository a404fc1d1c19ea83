package io.confab.account;

import io.confab.account.AccountCommand.Approach;
import io.confab.account.AccountCommand.Approached;
import io.confab.config.Config;
import io.confab.protocol.AccountId;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.Locale;

/// The salts of passwords. Who has no password gets one that is made up, always the same, so that
/// the next steps are the same ones and nobody learns which handles exist.
final class Salts {
  private final AccountStore accounts;
  private final KeyedDigest digest;
  private final Config.Argon2 cost;

  /// @param digest makes salts up; the same on all nodes
  Salts(AccountStore accounts, KeyedDigest digest, Config.Argon2 cost) {
    this.accounts = accounts;
    this.digest = digest;
    this.cost = cost;
  }

  Future<Approached> approach(Approach approach) {
    String folded = approach.handle().toLowerCase(Locale.ROOT);
    Secret token = approach.refreshToken();
    return accounts
        .approach(
            folded,
            seenFrom(approach.from()),
            token == null ? new byte[0] : new OpaqueToken(token).hash())
        .map(found -> found.orElseGet(() -> new Approached(madeUp(folded), null, false)));
  }

  byte[] seenFrom(String address) {
    return seenFrom(digest, address);
  }

  /// As what an address is remembered: nobody without the key finds it out.
  static byte[] seenFrom(KeyedDigest digest, String address) {
    return Arrays.copyOf(digest.of("from:" + address), PasswordSalt.BYTES);
  }

  Future<PasswordSalt> of(AccountId account) {
    return accounts
        .findSalt(account)
        .map(found -> found.orElseGet(() -> madeUp(account.toString())));
  }

  private PasswordSalt madeUp(String name) {
    byte[] salt = Arrays.copyOf(digest.of("salt:" + name), PasswordSalt.BYTES);
    return PasswordSalt.of(cost, salt);
  }
}
