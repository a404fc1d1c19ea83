package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.account.Passwords;
import io.confab.bus.Bus;
import io.confab.bus.Peer;
import io.confab.bus.Peers;
import io.confab.config.Config;
import io.confab.config.NodeRole;
import io.confab.contract.Contract;
import io.confab.contract.Operation;
import io.confab.contract.Shape;
import io.confab.limit.EdgeLimits;
import io.confab.limit.Limit;
import io.confab.message.MessageRequests;
import io.confab.message.Seating;
import io.confab.metrics.Meters;
import io.confab.operator.ManagementRoutes;
import io.confab.operator.Readiness;
import io.confab.protocol.NodeId;
import io.confab.security.SecurityLog;
import io.confab.socket.SocketEndpoint;
import io.confab.testing.TestConfig;
import io.confab.testing.TestLimits;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// The routes of the code, their query parameters and their limits are those of openapi.yaml.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class RoutesTest {
  private Vertx vertx;

  @BeforeEach
  void open(Vertx vertx) {
    this.vertx = vertx;
  }

  @Test
  void everyPublicRouteHasADocumentWithTheSameQueryParameters() {
    Map<String, Set<String>> documented = documented(false, RoutesTest::parameters);
    assertThat(documented.remove("GET " + SocketEndpoint.PATH)).isEmpty();
    assertThat(routes(publicRouter(), RoutesTest::parameters)).isEqualTo(documented);
  }

  @Test
  void whatIsPagedTakesALimitAndAnswersNextUnderOneName() {
    for (Operation operation : Contract.HTTP.operations()) {
      Set<String> query = operation.query().keySet();
      boolean positions = query.contains("before"); // pages of history go both ways
      if (query.contains("after") && !positions) {
        assertThat(query).as(operation.id()).contains("limit");
        Shape shape = Objects.requireNonNull(operation.responses().get(200)).shape();
        JsonNode properties = Objects.requireNonNull(shape).source().at("/properties");
        boolean numbered = properties.has("has_more"); // goes on after the last number of a page
        assertThat(numbered || properties.has("next")).as(operation.id()).isTrue();
      }
    }
  }

  @Test
  void everyPublicRouteCountsAgainstTheLimitOfItsDocument() {
    Map<String, Optional<String>> documented = documented(false, Operation::limit);
    assertThat(documented.remove("GET " + SocketEndpoint.PATH)).contains(Limit.UPGRADES.wire());
    assertThat(routes(publicRouter(), route -> Optional.of(limit(route)))).isEqualTo(documented);
  }

  /// Whoever adds one has asked whether its answers hold a token, a code or another secret.
  @Test
  void onlyAnswersWithoutSecretsAreCompressed() {
    Map<String, Boolean> compressed =
        routes(publicRouter(), route -> route.getMetadata(Routes.COMPRESSED) != null);
    compressed.values().removeIf(is -> !is);

    assertThat(compressed)
        .containsOnlyKeys(
            "GET /v1/rooms/{room_id}/messages",
            "GET /v1/rooms/{room_id}/events",
            "GET /v1/rooms/{room_id}/export");
  }

  private Router publicRouter() {
    Peer peer = new Peer(new NodeId("node"), Map.of(NodeRole.ROUTING, 1));
    Bus bus = new Bus(vertx, Peers.alone(peer));
    Config config = TestConfig.node(Path.of("unused"));
    EdgeLimits limits = TestLimits.of(config);
    return new HttpApi(
            vertx,
            bus,
            config,
            limits,
            new MessageRequests(bus, limits.limits(), new Meters(), Seating.asking(bus)),
            Seating.asking(bus),
            new Passwords(vertx, TestConfig.accounts().argon2(), new SecureRandom()),
            new AnswerWatch((_, _) -> {}, new SecurityLog(_ -> {}), Optional.empty()))
        .router();
  }

  @Test
  void everyManagementRouteHasADocument() {
    Router router =
        new ManagementRoutes(
                new Readiness(List.of(), Duration.ofSeconds(1)), () -> "", Map.of(), "secret")
            .router(vertx);

    assertThat(routes(router, RoutesTest::parameters))
        .isEqualTo(documented(true, RoutesTest::parameters));
  }

  private static <T> Map<String, T> documented(
      boolean management, Function<Operation, T> property) {
    Map<String, T> operations = new TreeMap<>();
    for (Operation operation : Contract.HTTP.operations()) {
      if (operation.listener().isPresent() == management) {
        operations.put(operation.method() + " " + operation.path(), property.apply(operation));
      }
    }
    return operations;
  }

  /// Without those for the methods that a path does not have.
  private static <T> Map<String, T> routes(Router router, Function<Route, T> property) {
    Map<String, T> routes = new TreeMap<>();
    for (Route route : router.getRoutes()) {
      Set<HttpMethod> methods = Objects.requireNonNullElse(route.methods(), Set.of());
      for (HttpMethod method : methods) {
        if (!method.equals(HttpMethod.HEAD)) {
          String path = route.getPath().replaceAll(":([a-z_]+)", "{$1}");
          routes.put(method + " " + path, property.apply(route));
        }
      }
    }
    return routes;
  }

  private static Set<String> parameters(Operation operation) {
    return operation.query().keySet();
  }

  private static Set<String> parameters(Route route) {
    Set<String> parameters = route.getMetadata(Routes.PARAMETERS);
    return parameters == null ? Set.of() : parameters;
  }

  private static String limit(Route route) {
    Limit limit = route.getMetadata(Routes.LIMIT);
    return limit.wire();
  }
}
