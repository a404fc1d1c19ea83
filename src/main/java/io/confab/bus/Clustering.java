package io.confab.bus;

import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.Config;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.config.SocketInterceptorConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// Joins the nodes of a cluster through Hazelcast: a list of TCP addresses, an explicit
/// interface, no multicast, no calls home, and no REST, which nobody switches on. It carries
/// membership and event-bus registrations and nothing that correctness needs.
public final class Clustering {
  /// A Vert.x of its own and what it knows of others.
  public record Joined(Vertx vertx, Peers peers) {}

  /// A connection whose peer is gone without a word is made anew after these.
  private static final long PING_MS = 1_000;

  private static final long PONG_MS = 3_000;
  private static final int UNACKNOWLEDGED_MS = 5_000;

  private Clustering() {}

  /// A node that serves itself.
  ///
  /// @param builder makes Vert.x of options
  public static Joined alone(Function<VertxOptions, VertxBuilder> builder, Peer local) {
    return new Joined(builder.apply(options()).build(), Peers.alone(local));
  }

  /// As many event loops as cores: with twice as many, Vert.x' default, a send wakes more of them
  /// (docs/performance.md).
  private static VertxOptions options() {
    return new VertxOptions()
        .setPreferNativeTransport(true)
        .setEventLoopPoolSize(Runtime.getRuntime().availableProcessors());
  }

  /// A node of a cluster.
  ///
  /// @param builder makes Vert.x of options
  /// @param key of the installation: nodes of others are not let in
  public static Future<Joined> join(
      Function<VertxOptions, VertxBuilder> builder,
      io.confab.config.Config.Cluster cluster,
      BusKey key,
      Peer local) {
    EventBusOptions bus = eventBus(cluster).setClusterNodeMetadata(ClusteredPeers.metadata(local));
    return member(hazelcast(cluster, key), new BoundedMember(key))
        .compose(
            member -> {
              HazelcastClusterManager manager = new ClusterMembership(member);
              return builder
                  .apply(options().setEventBusOptions(bus))
                  .withClusterManager(manager)
                  .buildClustered()
                  .onFailure(_ -> member.shutdown())
                  .map(vertx -> joined(vertx, manager, local));
            });
  }

  /// It takes seconds until a member is in.
  private static Future<HazelcastInstance> member(Config config, BoundedMember context) {
    return Future.fromCompletionStage(
        CompletableFuture.supplyAsync(
            () -> HazelcastInstanceFactory.newHazelcastInstance(config, null, context),
            task -> Thread.ofPlatform().name("confab-join").start(task)));
  }

  private static Joined joined(Vertx vertx, HazelcastClusterManager manager, Peer local) {
    ClusteredPeers peers =
        new ClusteredPeers(
            local, manager, (delay, action) -> vertx.setTimer(delay.toMillis(), _ -> action.run()));
    peers.follow();
    return new Joined(vertx, peers);
  }

  /// With TLS a node speaks, in both directions, only to holders of a certificate of
  /// `tls.trust`. Host names are not checked: every holder of such a certificate is a node.
  static EventBusOptions eventBus(io.confab.config.Config.Cluster cluster) {
    EventBusOptions options =
        new EventBusOptions()
            .setHost(cluster.host())
            .setPort(cluster.busPort())
            .setClusterPingInterval(PING_MS)
            .setClusterPingReplyInterval(PONG_MS)
            .setTcpKeepAlive(true)
            .setTcpUserTimeout(UNACKNOWLEDGED_MS);
    if (cluster.tls().isComplete()) {
      options
          .setSsl(true)
          .setClientAuth(ClientAuth.REQUIRED)
          .setEnabledSecureTransportProtocols(Set.of("TLSv1.3"))
          .setKeyCertOptions(
              new PemKeyCertOptions()
                  .setCertPath(cluster.tls().certificate().orElseThrow().toString())
                  .setKeyPath(cluster.tls().key().orElseThrow().toString()))
          .setTrustOptions(
              new PemTrustOptions().addCertPath(cluster.tls().trust().orElseThrow().toString()));
    }
    return options;
  }

  /// Hazelcast listens on the address of the node alone, for members alone, speaks with no other
  /// than [BoundedMember] lets in, and makes no Java
  /// objects of what it is sent but those that members do send.
  static Config hazelcast(io.confab.config.Config.Cluster cluster, BusKey key) {
    Config config = new Config();
    config.setClusterName(key.clusterName());
    config.getMemberAttributeConfig().setAttribute("__vertx.nodeId", UUID.randomUUID().toString());
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.logging.type", "slf4j");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty(
        "hazelcast.graceful.shutdown.max.wait", Long.toString(ClusterMembership.LIMIT.toSeconds()));
    config.addMapConfig(new MapConfig("__vertx.haInfo").setBackupCount(1));
    config.addMapConfig(new MapConfig("__vertx.nodeInfo").setBackupCount(1));
    config.addMultiMapConfig(
        new MultiMapConfig("__vertx.subs").setValueCollectionType("SET").setBackupCount(1));
    config.getManagementCenterConfig().setDataAccessEnabled(false);
    config.getSerializationConfig().setJavaSerializationFilterConfig(expectedObjects());
    AdvancedNetworkConfig network = config.getAdvancedNetworkConfig().setEnabled(true);
    ServerSocketEndpointConfig members = new ServerSocketEndpointConfig();
    members.setPort(cluster.port()).setPortAutoIncrement(false);
    members.getInterfaces().setEnabled(true).addInterface(cluster.host());
    members.setSocketInterceptorConfig(
        new SocketInterceptorConfig()
            .setEnabled(true)
            .setClassName(MemberHandshake.class.getName()));
    network.setMemberEndpointConfig(members);
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true).setMembers(cluster.members());
    return config;
  }

  /// Java objects that members send each other: the failures of operations, by name. What Vert.x
  /// keeps in the cluster is written by Hazelcast and is none. Nothing here hashes or compares what
  /// it holds, or loads a class, and no package stands here that has anything but failures.
  static JavaSerializationFilterConfig expectedObjects() {
    ClassFilter expected =
        new ClassFilter()
            .addPackages("com.hazelcast.spi.exception", "com.hazelcast.splitbrainprotection")
            .addClasses(
                "java.lang.Throwable",
                "java.lang.Exception",
                "java.lang.RuntimeException",
                "java.lang.Error",
                "java.lang.VirtualMachineError",
                "java.lang.OutOfMemoryError",
                "java.lang.StackTraceElement",
                "[Ljava.lang.StackTraceElement;",
                "java.lang.IllegalArgumentException",
                "java.lang.IllegalStateException",
                "java.lang.IllegalMonitorStateException",
                "java.lang.IndexOutOfBoundsException",
                "java.lang.NullPointerException",
                "java.lang.ClassCastException",
                "java.lang.ReflectiveOperationException",
                "java.lang.ClassNotFoundException",
                "java.lang.SecurityException",
                "java.lang.UnsupportedOperationException",
                "java.lang.InterruptedException",
                "java.io.IOException",
                "java.io.EOFException",
                "java.util.ArrayList",
                "java.util.Collections$EmptyList",
                "java.util.concurrent.CancellationException",
                "java.util.concurrent.CompletionException",
                "java.util.concurrent.ExecutionException",
                "java.util.concurrent.RejectedExecutionException",
                "java.util.concurrent.TimeoutException",
                "com.hazelcast.core.HazelcastException",
                "com.hazelcast.core.HazelcastInstanceNotActiveException",
                "com.hazelcast.core.HazelcastOverloadException",
                "com.hazelcast.core.IndeterminateOperationStateException",
                "com.hazelcast.core.LocalMemberResetException",
                "com.hazelcast.core.MemberLeftException",
                "com.hazelcast.core.OperationTimeoutException",
                "com.hazelcast.internal.cluster.impl.ConfigMismatchException",
                "com.hazelcast.nio.serialization.HazelcastSerializationException",
                "com.hazelcast.partition.NoDataMemberInClusterException");
    return new JavaSerializationFilterConfig().setDefaultsDisabled(true).setWhitelist(expected);
  }
}
