package io.confab.presence;

import io.confab.protocol.AccountId;
import io.confab.redis.RedisUrl;

/// Over how many keys the accounts that are there are spread: one, or in a cluster of Redis so many
/// that its servers share them.
///
/// @param count the same on all nodes
public record PresenceShards(int count) {
  private static final int IN_A_CLUSTER = 16;

  public static PresenceShards of(RedisUrl url) {
    return new PresenceShards(url.isCluster() ? IN_A_CLUSTER : 1);
  }

  int of(AccountId account) {
    return Math.floorMod(Long.hashCode(account.value()), count);
  }

  /// Empty where there is one.
  String name(int shard) {
    return count == 1 ? "" : Integer.toString(shard);
  }
}
