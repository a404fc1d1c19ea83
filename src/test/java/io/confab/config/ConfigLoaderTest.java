package io.confab.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.confab.protocol.Secret;
import io.confab.testing.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class ConfigLoaderTest {
  private final Path folder;

  ConfigLoaderTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void withoutAnythingTheDefaultsHold() {
    Config config = new ConfigLoader(Map.of()).load(null, Map.of()).config();

    assertThat(config.http().port()).isEqualTo(8080);
    assertThat(config.node().roles()).isEqualTo(EnumSet.allOf(NodeRole.class));
    assertThat(config.postgres().url()).isEmpty();
    assertThat(config.accounts().refreshTokenTtl()).isEqualTo(Duration.ofDays(60));
  }

  @Test
  void aLaterSourceWins() throws IOException {
    Path file = file("http: {port: 1001, host: 127.0.0.2}\nmanagement: {port: 1002}");
    var loader = new ConfigLoader(Map.of("CONFAB_HTTP_PORT", "2001", "CONFAB_LOG", "json"));

    LoadedConfig loaded = loader.load(file, Map.of("management.port", "3002"));

    assertThat(loaded.config().http().host()).isEqualTo("127.0.0.2");
    assertThat(loaded.config().http().port()).isEqualTo(2001);
    assertThat(loaded.config().management().port()).isEqualTo(3002);
    assertThat(loaded.text())
        .containsPattern("http.port: 2001 +# environment")
        .containsPattern("http.host: 127.0.0.2 +# " + file)
        .containsPattern("management.port: 3002 +# command line")
        .containsPattern("management.host: 127.0.0.1 +# default");
  }

  @Test
  void variablesOfEveryTypeAreRead() {
    Config config =
        new ConfigLoader(
                Map.of(
                    "CONFAB_DATA_DIR", "/var/lib/confab",
                    "CONFAB_CLUSTER_ENABLED", "true",
                    "CONFAB_CLUSTER_MEMBERS", "127.0.0.1:5701, 127.0.0.1:5702",
                    "CONFAB_NODE_ROLES", "http,sockets",
                    "CONFAB_REDIS_COMMAND_TIMEOUT", "500ms",
                    "CONFAB_REDIS_URL", "redis://:hush@127.0.0.1:6379",
                    "CONFAB_TEST_ANYTHING", "of no concern",
                    "PATH", "/bin"))
            .load(null, Map.of())
            .config();

    assertThat(config.dataDir()).isEqualTo(Path.of("/var/lib/confab"));
    assertThat(config.cluster().enabled()).isTrue();
    assertThat(config.cluster().members()).containsExactly("127.0.0.1:5701", "127.0.0.1:5702");
    assertThat(config.node().roles()).containsExactly(NodeRole.SOCKETS, NodeRole.HTTP);
    assertThat(config.redis().commandTimeout()).isEqualTo(Duration.ofMillis(500));
    assertThat(config.redis().url()).contains(new Secret("redis://:hush@127.0.0.1:6379"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://me:p@h:1/3?script_user=you&script_password=s",
        "redis://me:p@h:1?script_user=you&script_password=s",
        "rediss+cluster://me:p@a,b?script_user=you&script_password=s",
        "redis+sentinel://me:p@a,b?master=m&script_user=you&script_password=s"
      })
  void everyUrlOfRedisMayNameWhoLoadsScripts(String url) {
    Config config = new ConfigLoader(Map.of("CONFAB_REDIS_URL", url)).load(null, Map.of()).config();
    assertThat(config.redis().url()).contains(new Secret(url));
  }

  @Test
  void anEmptyVariableOrKeyOfAnUrlMeansTheEmbeddedServer() throws IOException {
    var loader = new ConfigLoader(Map.of("CONFAB_REDIS_URL", ""));

    Config config = loader.load(file("postgres:\n  url:\nredis:\n"), Map.of()).config();

    assertThat(config.postgres().url()).isEmpty();
    assertThat(config.redis().url()).isEmpty();
  }

  @Test
  void allProblemsOfAllSourcesAreNamedAtOnce() throws IOException {
    Path file = file("htpt: {port: 1}\nhttp: {prot: 1, port: 99999}\nnode: 7\ndata_dir: [a]");

    List<ConfigProblem> problems =
        problems(file, Map.of("CONFAB_HTTP_PROT", "1", "CONFAB_PERSISTENCE_WRITERS", "many"));

    assertThat(problems)
        .extracting(ConfigProblem::text)
        .containsExactlyInAnyOrder(
            "htpt: unknown key (" + file + ")",
            "http.prot: unknown key; did you mean http.port? (" + file + ")",
            "http.port: 99999 is not allowed: a whole number, 0 to 65535 (" + file + ")",
            "node: must be a group of keys (" + file + ")",
            "data_dir: [\"a\"] is not allowed: a folder's path (" + file + ")",
            "CONFAB_HTTP_PROT: unknown key; did you mean CONFAB_HTTP_PORT? (environment)",
            "persistence.writers: many is not allowed: a whole number, 0 to 64 (environment)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http: {port: '8080'}          | http.port",
        "http: {port: 80.5}            | http.port",
        "http: {port: -1}              | http.port",
        "http: {port: 4294967296}      | http.port",
        "http: {port: }                | http.port",
        "http: {host: ''}              | http.host",
        "http: {idle_timeout: 60}      | http.idle_timeout",
        "http: {idle_timeout: 2h}      | http.idle_timeout",
        "http: {idle_timeout: 5 weeks} | http.idle_timeout",
        "cluster: {enabled: 'yes'}     | cluster.enabled",
        "cluster: {members: a:1}       | cluster.members",
        "cluster: {members: [nowhere]} | cluster.members",
        "node: {roles: []}             | node.roles",
        "node: {roles: [cook]}         | node.roles",
        "node: {roles: [http]}         | node.roles",
        "node: {id: 'A b'}             | node.id",
        "redis: {key_prefix: '{x}'}    | redis.key_prefix",
        "redis: {url: 'http://x'}      | redis.url",
        "redis: {url: 'redis://a,b'}   | redis.url",
        "redis: {url: 'redis+sentinel://a'} | redis.url",
        "redis: {url: 'redis+cluster://a/1'} | redis.url",
        "data_dir: ''                  | data_dir",
        "management: {port: 8080}      | management.port",
        "cluster: {enabled: true, host: 0.0.0.0, tls: {certificate: a, key: b, trust: c}}"
            + " | cluster.host",
        "cluster: {enabled: true, host: 8.8.8.8, tls: {certificate: a, key: b, trust: c},"
            + " private_network: true} | cluster.host",
        "cluster: {enabled: true, host: 127.example.org, private_network: true,"
            + " tls: {certificate: a, key: b, trust: c}} | cluster.host",
        "cluster: {enabled: true, host: 10.0.0.1, tls: {certificate: a, key: b, trust: c}}"
            + " | cluster.private_network",
        "cluster: {enabled: true, host: 10.0.0.1, private_network: true}"
            + " | cluster.tls.certificate",
        "cluster: {tls: {key: b}}       | cluster.tls",
        "http: {host: 0.0.0.0}          | http.tls.mode",
        "http: {host: chat.example}     | http.tls.mode",
        "http: {tls: {mode: on}}        | http.tls.mode",
        "http: {tls: {mode: files, key: k}} | http.tls.certificate",
        "http: {tls: {mode: files, certificate: c}} | http.tls.key",
        "http: {cors_origins: ['*']}    | http.cors_origins",
        "http: {cors_origins: [own]}    | http.cors_origins",
        "http: {origins: ['*']}         | http.origins",
        "http: {origins: [owner]}       | http.origins",
        "sockets: {ping_interval: 30s} | sockets.ping_interval",
        "persistence: {queue_rows: 9}  | persistence.group_rows",
        "accounts: {argon2: {memory_kib: 8, parallelism: 2}} | accounts.argon2.memory_kib",
        "accounts: {issuers: x}        | accounts.issuers",
        "accounts: {issuers: [x]}      | accounts.issuers[0]",
        "accounts: {issuers: [{issuer: a, audience: b}]} | accounts.issuers[0].algorithms",
        "accounts: {issuers: [{audience: b, algorithms: [HS256]}]} | accounts.issuers[0].issuer",
        "accounts: {issuers: [{issuer: a, audience: 7, algorithms: [HS256]}]}"
            + " | accounts.issuers[0].audience",
        "accounts: {issuers: [{issuer: a, audience: b, algorithms: [none]}]}"
            + " | accounts.issuers[0].algorithms[0]",
        "accounts: {issuers: [{issuer: a, audience: b, algorithms: [ES256], public_keys: [7]}]}"
            + " | accounts.issuers[0].public_keys[0]",
        "accounts: {issuers: [{issuer: a, audience: b, algorithms: [ES256], jwks_urls: c}]}"
            + " | accounts.issuers[0].jwks_urls",
        "limits: {resume_events_per_session: 9} | limits.resume_events_per_room",
        "queues: {dormant_after: 119s} | queues.dormant_after",
      })
  @Position("cluster.private_network: false")
  void aBadValueIsNamedByItsPath(String yaml, String path) throws IOException {
    assertThat(problems(file(yaml), Map.of()))
        .extracting(ConfigProblem::path)
        .containsExactly(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http: {host: 127.0.0.1, tls: {mode: none}}",
        "http: {host: 0.0.0.0, tls: {mode: proxy}}",
        "http: {host: 0.0.0.0, tls: {mode: files, certificate: c, key: k}}",
        "cluster: {enabled: true, host: 10.0.0.1, private_network: true,"
            + " tls: {certificate: a, key: b, trust: c}}",
      })
  @Position("cluster.private_network: true")
  void whatIsSafeIsAccepted(String yaml) throws IOException {
    assertThat(new ConfigLoader(Map.of()).load(file(yaml), Map.of()).settings()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "issuer: confab, audience: b, algorithms: [RS256], public_keys: [k] | not confab",
        "issuer: a, audience: b, algorithms: [HS256] | beside",
        "issuer: a, audience: b, algorithms: [RS256], secret: hush | beside",
        "issuer: a, audience: b, algorithms: [HS256], secret: hush | 32 bytes",
        "issuer: a, audience: b, algorithms: [EdDSA] | public_keys or jwks_url",
        "issuer: a, audience: b, algorithms: [RS256], public_keys: [BEGIN PRIVATE KEY] | private",
        "issuer: a, audience: b, algorithms: [RS256], public_keys: ['{\"d\": \"x\"}'] | private",
        "issuer: a, audience: b, algorithms: [RS256], jwks_url: http://example.com/k | loopback",
        "issuer: a, audience: b, algorithms: [RS256], jwks_url: 'http://127.0.0.1.a.b/k' |"
            + " loopback",
        "issuer: a, audience: b, algorithms: [RS256], jwks_url: 'http://localhost@a.b/k' |"
            + " loopback",
        "issuer: a, audience: b, algorithms: [RS256], jwks_url: file:///etc/passwd | https",
      })
  void anIssuerThatCannotBeTrustedIsRefused(String issuer, String why) throws IOException {
    assertThat(problems(file("accounts: {issuers: [{" + issuer + "}]}"), Map.of()))
        .isNotEmpty()
        .allMatch(problem -> problem.path().equals("accounts.issuers"))
        .anyMatch(problem -> problem.text().contains(why))
        .noneMatch(problem -> problem.text().contains("hush"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONFAB_LOG=xml", "CONFAB_LOG=TEXT", "CONFAB_LOG_LEVEL=LOUD"})
  void howToLogIsChecked(String variable) {
    String[] parts = variable.split("=", 2);

    assertThat(problems(null, Map.of(parts[0], parts[1])))
        .singleElement()
        .satisfies(problem -> assertThat(problem.text()).startsWith(parts[0] + ": " + parts[1]));
    var known = Map.of("CONFAB_LOG", "json", "CONFAB_LOG_LEVEL", "WARN");
    assertThatCode(() -> new ConfigLoader(known).load(null, Map.of())).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"elsewhere:5432/confab", "db:5432/other", "db/confab2"})
  void theOwnerComesToTheDatabaseOfTheNodes(String owner) throws IOException {
    Path file =
        file(
            "postgres: {url: 'postgresql://n:hush@db/confab', owner_url: 'postgresql://o:hush@%s'}"
                .formatted(owner));
    assertThat(problems(file, Map.of()))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.path()).isEqualTo("postgres.owner_url");
              assertThat(problem.text()).contains("postgres.url").doesNotContain("hush");
            });
  }

  /// The last one is no URL, which is said where it is read, without the password in it.
  @ParameterizedTest
  @ValueSource(strings = {"o:hush@db:6432/confab", "o:hush@DB", "o:hush@db/", "o:hu^sh@db/confab"})
  void theOwnerMayComeByAnotherPortOrSpelling(String owner) throws IOException {
    Path file =
        file(
            "postgres: {url: 'postgresql://n:hush@db/confab', owner_url: 'postgresql://%s'}"
                .formatted(owner));
    assertThatCode(() -> new ConfigLoader(Map.of()).load(file, Map.of()))
        .doesNotThrowAnyException();
  }

  @Test
  void aMistypedPartOfAnIssuerIsToldWithTheRightOne() throws IOException {
    assertThat(
            problems(
                file(
                    "accounts: {issuers: [{issuer: a, audience: b, algoritms: [HS256],"
                        + " algorithms: [HS256], secret: hush}]}"),
                Map.of()))
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.text())
                    .startsWith(
                        "accounts.issuers[0].algoritms: unknown part; did you mean algorithms? ("));
  }

  @Test
  void aJwkMayBeAnObjectOrItsText() throws IOException {
    String part =
        "accounts: {issuers: [{issuer: a, audience: b, algorithms: [ES256], public_keys: [";
    String jwk = "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"a\",\"y\":\"b\"}";

    assertThat(issuers(file(part + jwk + ", '" + jwk + "']}]}"), Map.of()))
        .singleElement()
        .satisfies(issuer -> assertThat(issuer.publicKeys()).containsExactly(jwk, jwk));
  }

  @Test
  void issuersAreReadFromFileAndVariable() throws IOException {
    String yaml =
        "{issuer: a, audience: b, algorithms: [RS256, EdDSA], jwks_url: 'https://a.example/k'}";
    OutsideIssuer published =
        new OutsideIssuer(
            "a",
            "b",
            List.of(TokenAlgorithm.RS256, TokenAlgorithm.EDDSA),
            Optional.empty(),
            List.of(),
            Optional.of("https://a.example/k"));
    assertThat(issuers(file("accounts: {issuers: [" + yaml + "]}"), Map.of()))
        .containsExactly(published);
    String hush = "hush".repeat(8);
    Map<String, String> environment =
        Map.of(
            "CONFAB_ACCOUNTS_ISSUERS",
            "[{\"issuer\":\"c\",\"audience\":\"b\",\"algorithms\":[\"HS256\"],\"secret\":\"%s\"}]"
                .formatted(hush));
    assertThat(issuers(null, environment))
        .extracting(OutsideIssuer::secret)
        .containsExactly(Optional.of(new Secret(hush)));
    assertThat(new ConfigLoader(environment).load(null, Map.of()).text())
        .contains("accounts.issuers")
        .doesNotContain("hush");
    assertThat(problems(file("accounts: {issuers: [{secret: hush}]}"), Map.of()).toString())
        .doesNotContain("hush");
  }

  private static List<OutsideIssuer> issuers(@Nullable Path file, Map<String, String> environment) {
    return new ConfigLoader(environment).load(file, Map.of()).config().accounts().issuers();
  }

  @Test
  void noMessageHoldsASecret() throws IOException {
    assertThat(problems(file("postgres: {url: 'mysql://u:hush@h/d'}"), Map.of()))
        .extracting(ConfigProblem::text)
        .singleElement()
        .asString()
        .startsWith("postgres.url: *** is not allowed: postgresql://")
        .doesNotContain("hush");
    assertThat(problems(file("postgres: {password: hush}"), Map.of()).toString())
        .doesNotContain("hush");
    assertThat(problems(file("postgres: {url: 'hush"), Map.of()).toString())
        .contains("not valid YAML at line 1")
        .doesNotContain("hush");
    Map<String, String> environment = Map.of("CONFAB_POSTGRES_URL", "postgresql://u:hush@h/d");
    assertThat(new ConfigLoader(environment).load(null, Map.of()).text())
        .contains("postgres.url: ***")
        .doesNotContain("hush");
  }

  @Test
  void aDuplicateKeyIsAnError() throws IOException {
    assertThat(problems(file("http: {port: 1}\nhttp: {port: 2}"), Map.of()))
        .extracting(ConfigProblem::allowed)
        .singleElement()
        .asString()
        .startsWith("duplicate field 'http' at line 2");
  }

  @Test
  void aFileThatIsNotThereOrHoldsNoKeysIsAnError() throws IOException {
    assertThat(problems(folder.resolve("none.yaml"), Map.of()))
        .extracting(ConfigProblem::allowed)
        .containsExactly("cannot be read: there is no such file or folder");
    assertThat(problems(file("just text"), Map.of()))
        .extracting(ConfigProblem::allowed)
        .containsExactly("must hold keys and values");
    assertThat(new ConfigLoader(Map.of()).load(file("# nothing\n"), Map.of()).settings())
        .isNotEmpty();
  }

  private static List<ConfigProblem> problems(
      @Nullable Path file, Map<String, String> environment) {
    var thrown =
        catchThrowableOfType(
            InvalidConfigException.class, () -> new ConfigLoader(environment).load(file, Map.of()));
    return thrown.problems();
  }

  private Path file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("confab.yaml"), yaml);
  }
}
