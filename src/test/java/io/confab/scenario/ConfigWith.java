package io.confab.scenario;

import io.confab.config.Config;
import io.confab.config.NodeRole;
import io.confab.config.Secret;
import java.util.Optional;
import java.util.Set;

/// Configurations that differ in one part from another.
public final class ConfigWith {
  private ConfigWith() {}

  public static Config sockets(Config base, Config.Sockets sockets) {
    return new Config(
        base.dataDir(),
        base.node(),
        base.http(),
        base.management(),
        base.postgres(),
        base.redis(),
        base.cluster(),
        sockets,
        base.routing(),
        base.persistence(),
        base.presence(),
        base.accounts(),
        base.limits(),
        base.rates(),
        base.apiKey());
  }

  public static Config http(Config base, Config.Http http) {
    return new Config(
        base.dataDir(),
        base.node(),
        http,
        base.management(),
        base.postgres(),
        base.redis(),
        base.cluster(),
        base.sockets(),
        base.routing(),
        base.persistence(),
        base.presence(),
        base.accounts(),
        base.limits(),
        base.rates(),
        base.apiKey());
  }

  public static Config accounts(Config base, Config.Accounts accounts) {
    return new Config(
        base.dataDir(),
        base.node(),
        base.http(),
        base.management(),
        base.postgres(),
        base.redis(),
        base.cluster(),
        base.sockets(),
        base.routing(),
        base.persistence(),
        base.presence(),
        accounts,
        base.limits(),
        base.rates(),
        base.apiKey());
  }

  public static Config apiKey(Config base, String key) {
    return new Config(
        base.dataDir(),
        base.node(),
        base.http(),
        base.management(),
        base.postgres(),
        base.redis(),
        base.cluster(),
        base.sockets(),
        base.routing(),
        base.persistence(),
        base.presence(),
        base.accounts(),
        base.limits(),
        base.rates(),
        Optional.of(new Secret(key)));
  }

  public static Config limits(Config base, Config.Limits limits) {
    return new Config(
        base.dataDir(),
        base.node(),
        base.http(),
        base.management(),
        base.postgres(),
        base.redis(),
        base.cluster(),
        base.sockets(),
        base.routing(),
        base.persistence(),
        base.presence(),
        base.accounts(),
        limits,
        base.rates(),
        base.apiKey());
  }

  public static Config rates(Config base, Config.Rates rates) {
    return new Config(
        base.dataDir(),
        base.node(),
        base.http(),
        base.management(),
        base.postgres(),
        base.redis(),
        base.cluster(),
        base.sockets(),
        base.routing(),
        base.persistence(),
        base.presence(),
        base.accounts(),
        base.limits(),
        rates,
        base.apiKey());
  }

  public static Config cluster(Config base, Set<NodeRole> roles, Config.Cluster cluster) {
    return new Config(
        base.dataDir(),
        new Config.Node(Optional.empty(), roles),
        base.http(),
        base.management(),
        base.postgres(),
        base.redis(),
        cluster,
        base.sockets(),
        base.routing(),
        base.persistence(),
        base.presence(),
        base.accounts(),
        base.limits(),
        base.rates(),
        base.apiKey());
  }

  public static Config servers(Config base, String postgres, String redis) {
    return new Config(
        base.dataDir(),
        base.node(),
        base.http(),
        base.management(),
        new Config.Postgres(
            Optional.of(new Secret(postgres)),
            base.postgres().readConnections(),
            base.postgres().connectTimeout(),
            base.postgres().statementTimeout(),
            base.postgres().lockTimeout()),
        new Config.Redis(
            Optional.of(new Secret(redis)),
            base.redis().keyPrefix(),
            base.redis().commandTimeout(),
            base.redis().recentEvents(),
            base.redis().recentTtl()),
        base.cluster(),
        base.sockets(),
        base.routing(),
        base.persistence(),
        base.presence(),
        base.accounts(),
        base.limits(),
        base.rates(),
        base.apiKey());
  }
}
