package io.confab.scenario;

import io.confab.Node;
import io.confab.config.Config;
import io.confab.protocol.Secret;
import io.confab.testing.TempFolders;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.confab.testing.TestServers;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Nodes of a test class's own in this JVM, on one database and one key prefix, and a Vert.x
/// for the clients. The nodes are not clustered: they meet in PostgreSQL and Redis alone.
public final class Nodes implements AutoCloseable {
  private final TestDatabase database = TestDatabase.create();
  private final String prefix = "t" + UUID.randomUUID() + ":";
  private final Vertx vertx = Vertx.vertx();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Path> folders = new ArrayList<>();

  public static Nodes start(int count) {
    Nodes nodes = new Nodes();
    for (int i = 0; i < count; i++) {
      nodes.add(nodes.config());
    }
    return nodes;
  }

  public Node add(Config config) {
    Node node = Node.start(config);
    nodes.add(node);
    return node;
  }

  /// A node alone, with all roles, on free ports, that waits long for whatever it waits for.
  public Config config() {
    Config config =
        TestConfig.onServers(TestConfig.node(folder()), postgresUrl(), TestServers.redis());
    return TestConfig.with(TestConfig.patient(config), "redis.key_prefix", prefix);
  }

  /// The same with the owner of the schema, who migrates it.
  public Config ownerConfig() {
    return TestConfig.with(
        config(),
        "postgres.owner_url",
        Optional.of(new Secret(TestDatabase.address(database.url()))));
  }

  public String postgresUrl() {
    return TestDatabase.address(database.nodeUrl());
  }

  private Path folder() {
    Path folder = TempFolders.create("confab-node");
    folders.add(folder);
    return folder;
  }

  public Vertx vertx() {
    return vertx;
  }

  public TestDatabase database() {
    return database;
  }

  public Node node(int node) {
    return nodes.get(node);
  }

  public int port(int node) {
    return nodes.get(node).port();
  }

  /// The meters of a node, as Prometheus reads them.
  public String metrics(int node) {
    return metrics(nodes.get(node));
  }

  public static String metrics(Node node) {
    URI uri = URI.create("http://127.0.0.1:" + node.managementPort() + "/metrics");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(uri).timeout(Duration.ofMinutes(1)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    nodes.reversed().forEach(Node::close);
    vertx.close().await();
    database.close();
    folders.forEach(TempFolders::delete);
  }
}
