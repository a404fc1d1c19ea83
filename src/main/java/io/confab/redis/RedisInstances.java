package io.confab.redis;

import java.util.List;

/// The servers that are in charge of keys, of those that answered.
///
/// @param found one at least
/// @param isAll whether each of them did
public record RedisInstances(List<RedisInstance> found, boolean isAll) {}
