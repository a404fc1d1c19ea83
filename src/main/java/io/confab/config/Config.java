package io.confab.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Everything that `conf/confab.yaml` holds, in the order of that file, which explains each key.
public record Config(
    Path dataDir,
    Node node,
    Http http,
    Management management,
    Postgres postgres,
    Redis redis,
    Cluster cluster,
    Sockets sockets,
    Routing routing,
    Persistence persistence,
    Presence presence,
    Accounts accounts,
    Limits limits) {

  /// @param id empty: made at start
  public record Node(Optional<String> id, Set<NodeRole> roles) {}

  /// The public listener for API and sockets.
  ///
  /// @param instances event loops that listen; 0 means one for each core
  public record Http(String host, int port, int instances, Duration idleTimeout) {}

  /// The listener for health, metrics and local commands.
  public record Management(String host, int port) {}

  /// @param url empty: the embedded server is used
  public record Postgres(
      Optional<Secret> url,
      int readConnections,
      Duration connectTimeout,
      Duration statementTimeout,
      Duration lockTimeout) {}

  /// @param url empty: the embedded server is used
  /// @param keyPrefix stands before every key and channel
  public record Redis(Optional<Secret> url, String keyPrefix, Duration commandTimeout) {}

  /// @param members `host:port` of Hazelcast on every node
  public record Cluster(boolean enabled, String host, int port, List<String> members) {}

  /// @param queueBytes bound of what waits to be written to one socket
  public record Sockets(
      Duration helloTimeout,
      Duration pingInterval,
      Duration beatTimeout,
      int frameBytes,
      int requests,
      int queueBytes) {}

  /// @param instances event loops that route; 0 means one for each core
  public record Routing(int instances) {}

  /// @param writers connections that store messages, one group in flight on each
  /// @param groupRows most messages in one group
  /// @param queueRows most messages that wait for one writer; more are refused
  /// @param waitLimit how long a message may wait for a connection before it is refused
  public record Persistence(int writers, int groupRows, int queueRows, Duration waitLimit) {}

  public record Presence(int instances) {}

  /// @param signUp whether people may make accounts for themselves
  public record Accounts(
      boolean signUp,
      Argon2 argon2,
      Duration accessTokenTtl,
      Duration refreshTokenTtl,
      Duration ticketTtl) {}

  /// Cost of hashing a password (RFC 9106).
  public record Argon2(int memoryKib, int iterations, int parallelism, int concurrency) {}

  /// @param bodyBytes of a message, in UTF-8
  public record Limits(
      int bodyBytes,
      int requestBytes,
      int roomsPerAccount,
      int membersPerCall,
      int resumeEventsPerRoom,
      int resumeEventsPerSession) {}
}
