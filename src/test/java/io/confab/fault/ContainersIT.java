package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.confab.Node;
import io.confab.config.Config;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.Secret;
import io.confab.redis.AclRules;
import io.confab.redis.RedisKeys;
import io.confab.testing.LogLines;
import io.confab.testing.OwnPostgres;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The Dockerfile and the Compose file, as far as they can be tried without a container engine.
@Timeout(240)
class ContainersIT {
  private static final Path CONF = Path.of("conf");
  private static final String MIGHTY =
      "SELECT FROM pg_roles WHERE rolname LIKE 'confab%'"
          + " AND (rolsuper OR rolcreaterole OR rolcreatedb)";

  private final JsonNode services;

  ContainersIT() throws IOException {
    services = new YAMLMapper().readTree(CONF.resolve("compose.yaml").toFile()).get("services");
  }

  @Test
  void aNodeStartsWithTheTwoRolesThatComposeMakesAndIsHealthy(@TempDir Path folder)
      throws Exception {
    try (OwnPostgres postgres = new OwnPostgres();
        OwnRedis redis = OwnRedis.start()) {
      makeRoles(postgres.url());
      Config config =
          TestConfig.onServers(
              TestConfig.patient(TestConfig.node(folder)),
              url(postgres, "CONFAB_POSTGRES_URL"),
              redis.address());
      Secret owner = new Secret(url(postgres, "CONFAB_POSTGRES_OWNER_URL"));
      try (LogLines log = new LogLines("io.confab.postgres.NodeRights");
          Node node =
              Node.start(TestConfig.with(config, "postgres.owner_url", Optional.of(owner)))) {
        assertThat(log.lines()).as("what stays to be done by hand").isEmpty();
        await().until(() -> health(node.managementPort()) == 0);
      }
      try (OwnRedis nothingElse = OwnRedis.start()) {
        assertThat(health(nothingElse.port())).as("of what is no node").isNotZero();
      }
      try (Connection connection = TestDatabase.connect(postgres.url());
          Statement statement = connection.createStatement();
          var mighty = statement.executeQuery(MIGHTY)) {
        assertThat(mighty.next()).isFalse();
      }
    }
  }

  /// As psql does in the container: with the passwords of its environment.
  private static void makeRoles(PostgresUrl superuser) throws IOException, SQLException {
    String sql =
        Files.readString(CONF.resolve("postgres-roles.sql"))
            .replaceAll("(?m)^(--|\\\\getenv).*\n", "")
            .replaceAll(":'(\\w+)_password'", "'$1-password'");
    try (Connection connection = TestDatabase.connect(superuser);
        Statement statement = connection.createStatement()) {
      for (String command : sql.split(";\\s*", -1)) {
        statement.execute(command);
      }
    }
  }

  /// A URL of the Compose file, of this server.
  private String url(OwnPostgres server, String variable) {
    return services
        .at("/confab/environment/" + variable)
        .asText()
        .replaceAll("\\$\\{POSTGRES_(\\w+)_PASSWORD:\\?}", "$1-password")
        .replace("OWNER-", "owner-")
        .replace("NODE-", "node-")
        .replace("postgres:5432", "127.0.0.1:" + server.url().port());
  }

  /// What the HEALTHCHECK of the Dockerfile exits with.
  private static int health(int port) throws IOException, InterruptedException {
    String line =
        Files.readAllLines(CONF.resolve("Dockerfile")).stream()
            .filter(l -> l.startsWith("HEALTHCHECK "))
            .findFirst()
            .orElseThrow();
    String[] command =
        new ObjectMapper().readValue(line.substring(line.indexOf('[')), String[].class);
    return new ProcessBuilder(
            Arrays.stream(command).map(word -> word.replace("/8081 ", "/" + port + " ")).toList())
        .start()
        .waitFor();
  }

  @Test
  void redisKnowsTheTwoUsersOfANodeAndNoOther(@TempDir Path folder) throws Exception {
    JsonNode command = services.at("/redis/command");
    Path file = folder.resolve("redis.conf");
    String script =
        command
            .get(2)
            .asText()
            .replace("$$", "$")
            .replace("/tmp/redis.conf", file.toString())
            .replace("exec redis-server", "cat");
    ProcessBuilder shell =
        new ProcessBuilder(command.get(0).asText(), command.get(1).asText(), script)
            .redirectErrorStream(true);
    services
        .at("/redis/environment")
        .fieldNames()
        .forEachRemaining(name -> shell.environment().put(name, name));
    String printed =
        new String(shell.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(printed.lines().filter(line -> line.startsWith("user ")))
        .containsExactly(
            "user default off",
            "user confab on >REDIS_PASSWORD " + AclRules.working(new RedisKeys("")),
            "user confab-scripts on >REDIS_SCRIPT_PASSWORD " + AclRules.loading());
    assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
  }

  @Test
  void everyFileThatIsMountedOrCopiedIsThere() {
    assertThat(CONF.resolve(services.at("/confab/build/context").asText()).resolve("pom.xml"))
        .exists();
    assertThat(CONF.resolveSibling(services.at("/confab/build/dockerfile").asText())).exists();
    List<JsonNode> volumes = services.findValues("volumes");
    assertThat(volumes).hasSize(2);
    volumes.forEach(
        list ->
            list.forEach(
                volume -> {
                  String from = volume.asText().split(":", -1)[0];
                  if (from.startsWith(".")) {
                    assertThat(CONF.resolve(from)).exists();
                  }
                }));
  }
}
