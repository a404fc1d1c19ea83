package io.confab.config;

import io.confab.protocol.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Everything that `conf/confab.yaml` holds, in the order of that file, which explains each
/// key; and the limits of each.
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
    Limits limits,
    Keys keys,
    Queues queues,
    Retention retention,
    Rates rates,
    @Form(value = "[!-~]{32,256}", says = "32 to 256 printable characters, or empty")
        Optional<Secret> apiKey) {
  @SuppressWarnings("UnusedVariable") // named in annotations
  private static final String POSTGRES = "postgres(ql)?://[^/\\s]+(/\\S*)?";

  @SuppressWarnings("UnusedVariable")
  private static final String POSTGRES_SAYS =
      "postgresql://user:password@host:port/database, perhaps with"
          + " ?sslmode=verify-full&sslrootcert=FILE, or empty";

  /// From so many cores on there are two writers.
  private static final int MANY_CORES = 8;

  /// @param instances 0 means one for each core
  public static int orCores(int instances) {
    return instances == 0 ? Runtime.getRuntime().availableProcessors() : instances;
  }

  /// @param id empty: made at start
  public record Node(
      @Form(value = "[a-z0-9-]{0,32}", says = "a-z, 0-9 and -, up to 32 characters")
          Optional<String> id,
      Set<NodeRole> roles) {}

  /// The public listener for API and sockets.
  ///
  /// @param instances event loops that listen; 0 means one for each core
  /// @param connections open at once; 0 means as many as the process has room for
  /// @param addressConnections of them from one address; 0 means a quarter
  /// @param origins pages that may open a socket; `own` stands for those of the node itself
  /// @param corsOrigins pages of other hosts that may call the API
  /// @param trustedProxies whose word about the address of a client is believed
  /// @param forwardedHeader the header in which they say it
  /// @param accessLog whether each request has a line
  public record Http(
      @Form(value = "[A-Za-z0-9.:_-]{1,255}", says = "a host name or address") String host,
      @Range("0..65535") int port,
      @Range("0..256") int instances,
      @Range("1s..1h") Duration idleTimeout,
      @Range("1s..10m") Duration requestTimeout,
      @Range("0..10000000") int connections,
      @Range("0..10000000") int addressConnections,
      @Form(
              value = "own|[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\\[[0-9a-f:.]+\\])(:[1-9][0-9]{0,4})?",
              says = "a list of own and scheme://host[:port], in lower case, as browsers send it")
          List<String> origins,
      @Form(
              value = "[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\\[[0-9a-f:.]+\\])(:[1-9][0-9]{0,4})?",
              says = "a list of scheme://host[:port], in lower case, as browsers send it")
          List<String> corsOrigins,
      @Form(
              value =
                  "[0-9.]{7,15}(/(\\d|[12]\\d|3[0-2]))?"
                      + "|[0-9A-Fa-f.:]{2,45}(/(\\d{1,2}|1[01]\\d|12[0-8]))?",
              says = "a list of addresses or networks such as 10.0.0.0/8 or fd00::/8")
          List<String> trustedProxies,
      @Form(value = "x-forwarded-for|forwarded", says = "x-forwarded-for or forwarded")
          String forwardedHeader,
      boolean accessLog,
      ListenerTls tls) {
    /// Event loops that listen.
    public int loops() {
      return orCores(instances);
    }
  }

  /// @param certificate PEM file: the server's certificate, then those that lead to its root
  /// @param key PEM file (PKCS#8)
  public record ListenerTls(TlsMode mode, Optional<Path> certificate, Optional<Path> key) {}

  /// The listener for health, metrics and local commands.
  public record Management(
      @Form(value = "[A-Za-z0-9.:_-]{1,255}", says = "a host name or address") String host,
      @Range("0..65535") int port) {}

  /// @param url empty: the embedded server is used
  /// @param ownerUrl who migrates; empty: the role of `url`
  public record Postgres(
      @Form(value = POSTGRES, says = POSTGRES_SAYS) Optional<Secret> url,
      @Form(value = POSTGRES, says = POSTGRES_SAYS) Optional<Secret> ownerUrl,
      @Range("1..1000") int readConnections,
      @Range("1..1000") int changeConnections,
      @Range("100ms..1m") Duration connectTimeout,
      @Range("100ms..10m") Duration statementTimeout,
      @Range("100ms..10m") Duration lockTimeout) {}

  /// @param url empty: the embedded server is used
  /// @param keyPrefix stands before every key and channel
  /// @param recentEvents how many events of a room its recent window holds
  /// @param recentBytes how many bytes they take at most
  /// @param recentMemory how many bytes all windows take that a node writes
  /// @param recentTtl how long a recent window is kept after the last of them
  public record Redis(
      @Form(
              value =
                  "rediss?://([^@/?\\s]*:[^@/?\\s]*@)?[^@/?,\\s]+(/\\d*)?(\\?\\S+)?"
                      + "|rediss?\\+sentinel://([^@/?\\s]*:[^@/?\\s]*@)?[^@/?\\s]+(/\\d*)?\\?\\S+"
                      + "|rediss?\\+cluster://([^@/?\\s]*:[^@/?\\s]*@)?[^@/?\\s]+/?(\\?\\S+)?",
              says =
                  "redis://user:password@host:port/database, redis+sentinel://…?master=name,"
                      + " redis+cluster://…, each also with rediss for TLS, or empty")
          Optional<Secret> url,
      @Form(
              value = "[A-Za-z0-9:_.-]{0,64}",
              says = "letters, digits and : _ . -, up to 64 characters")
          String keyPrefix,
      @Range("50ms..1m") Duration commandTimeout,
      @Range("1..1000") int recentEvents,
      @Range("1024..16777216") int recentBytes,
      @Range("1048576..1073741824") int recentMemory,
      @Range("1s..1d") Duration recentTtl) {}

  /// @param port of Hazelcast
  /// @param busPort of the event bus; 0 means any free port
  /// @param members `host:port` of Hazelcast on every node
  /// @param privateNetwork whether nobody but the nodes reaches `host`, if it is not loopback
  public record Cluster(
      boolean enabled,
      @Form(value = "[A-Za-z0-9.:_-]{1,255}", says = "a host name or address") String host,
      @Range("0..65535") int port,
      @Range("0..65535") int busPort,
      @Form(value = "\\S+:[0-9]{1,5}", says = "a list of host:port") List<String> members,
      boolean privateNetwork,
      ClusterTls tls) {}

  /// How nodes prove to each other that they belong together: all three, or none on loopback.
  ///
  /// @param certificate PEM file of this node's certificate
  /// @param key PEM file (PKCS#8)
  /// @param trust PEM file of the authorities whose certificates nodes have
  public record ClusterTls(Optional<Path> certificate, Optional<Path> key, Optional<Path> trust) {
    public boolean isComplete() {
      return certificate.isPresent() && key.isPresent() && trust.isPresent();
    }

    public boolean isEmpty() {
      return certificate.isEmpty() && key.isEmpty() && trust.isEmpty();
    }
  }

  /// @param helloFrameBytes of a frame before the client was welcomed
  /// @param queueBytes bound of what waits to be written to one socket
  /// @param reconnectSpread the time over which clients reconnect that were disconnected
  ///     together
  public record Sockets(
      @Range("100ms..1m") Duration helloTimeout,
      @Range("100ms..10m") Duration pingInterval,
      @Range("200ms..30m") Duration beatTimeout,
      @Range("1024..1048576") int helloFrameBytes,
      @Range("8192..1048576") int frameBytes,
      @Range("100ms..10m") Duration fragmentTimeout,
      @Range("1..100000") int requests,
      @Range("16384..1073741824") int queueBytes,
      @Range("100ms..10m") Duration stallTimeout,
      @Range("100ms..5s") Duration closeTimeout,
      @Range("0s..10m") Duration reconnectSpread) {}

  /// @param instances event loops that route; 0 means one for each core
  public record Routing(@Range("0..256") int instances) {}

  /// @param writers connections that store messages, one group in flight on each; 0: as many as
  ///     [#lanes] says
  /// @param groupRows most messages in one group
  /// @param queueRows most messages that wait for one writer; more are refused
  /// @param waitLimit how long a message may wait for a connection before it is refused
  /// @param markerGather from one call that moves markers to the next
  public record Persistence(
      @Range("0..64") int writers,
      @Range("1..10000") int groupRows,
      @Range("1..10000000") int queueRows,
      @Range("100ms..1m") Duration waitLimit,
      @Range("0ms..1s") Duration markerGather) {
    /// The fewer there are, the larger the groups, and the less a message costs: one, from eight
    /// cores on two, unless it is configured.
    public int lanes() {
      return lanes(Runtime.getRuntime().availableProcessors());
    }

    int lanes(int cores) {
      return writers != 0 ? writers : cores < MANY_CORES ? 1 : 2;
    }
  }

  public record Presence(@Range("0..256") int instances) {}

  /// @param signUp whether people may make accounts for themselves
  /// @param passwordSignIn whether people may sign in by handle and password
  /// @param signingKeyPeriod how long a key signs access tokens
  /// @param issuers whose tokens are believed besides our own
  public record Accounts(
      boolean signUp,
      boolean passwordSignIn,
      Argon2 argon2,
      @Range("10s..1d") Duration accessTokenTtl,
      @Range("1m..3650d") Duration refreshTokenTtl,
      @Range("1s..10m") Duration ticketTtl,
      @Range("1h..3650d") Duration signingKeyPeriod,
      List<OutsideIssuer> issuers) {}

  /// Cost of hashing a password (RFC 9106).
  public record Argon2(
      @Range("8..4194304") int memoryKib,
      @Range("1..1000") int iterations,
      @Range("1..64") int parallelism,
      @Range("1..256") int concurrency) {}

  /// @param bodyBytes of a message, in UTF-8
  public record Limits(
      @Range("1..1048576") int bodyBytes,
      @Range("1024..67108864") int requestBytes,
      @Range("1024..67108864") int bulkRequestBytes,
      @Range("1..100000") int roomsPerAccount,
      @Range("1..100000") int membersPerCall,
      @Range("1..100000") int resumeEventsPerRoom,
      @Range("1..1000000") int resumeEventsPerSession) {}

  /// Keys of devices for sealed rooms. Sizes are in bytes of UTF-8.
  ///
  /// @param identityBytes of an account or a device
  /// @param devices with keys, of one account
  /// @param oneTimeKeys of one device, in one call too
  /// @param low a device with fewer is told
  /// @param claimsPerDay of one device by one account
  public record Keys(
      @Range("64..4096") int identityBytes,
      @Range("64..1024") int keyBytes,
      @Range("1024..65536") int vaultBytes,
      @Range("1..20") int devices,
      @Range("1..100") int oneTimeKeys,
      @Range("0..100") int low,
      @Range("1..1000000") int claimsPerDay) {}

  /// Queues of devices in sealed rooms.
  ///
  /// @param depth most envelopes that wait for one device
  /// @param retention how long what waits is kept
  /// @param dormantAfter a device that leaves something unacknowledged for so long is no target; no
  ///     less than it takes to notice that one is back (`open_queues`)
  /// @param unacknowledged most envelopes that are on the way to one device
  /// @param wakeAfter how long something waits before its device is woken
  public record Queues(
      @Range("1..1000000") int depth,
      @Range("1s..365d") Duration retention,
      @Range("2m..365d") Duration dormantAfter,
      @Range("1..10000") int unacknowledged,
      @Range("100ms..1m") Duration wakeAfter) {}

  /// How long what is over is kept.
  ///
  /// @param signedOutDevices since they signed out
  /// @param audit entries about rooms
  /// @param deliveryFailures of sealed rooms
  /// @param deadLetters what could not be stored or read
  public record Retention(
      @Range("1d..3650d") Duration signedOutDevices,
      @Range("30d..36500d") Duration audit,
      @Range("1d..3650d") Duration deliveryFailures,
      @Range("1h..365d") Duration deadLetters) {}

  /// How often each thing may be done; `io.confab.limit.Limit` says by whom.
  public record Rates(
      Rate sends,
      Rate roomSends,
      Rate changes,
      Rate typing,
      Rate markers,
      Rate presence,
      Rate rooms,
      Rate joins,
      Rate members,
      Rate reads,
      Rate exports,
      Rate renames,
      Rate writes,
      Rate keyUploads,
      Rate identities,
      Rate keyQueries,
      Rate keyClaims,
      Rate admin,
      Rate tickets,
      Rate hellos,
      Rate resumes,
      Rate frames,
      Rate signUps,
      Rate signIns,
      Rate failedSignIns,
      Rate handleSignIns,
      Rate refreshes,
      Rate requests,
      Rate connections,
      Rate upgrades) {}
}
