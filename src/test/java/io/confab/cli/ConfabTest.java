package io.confab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.local.ClusterPlan;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ConfabTest {
  private final RecordingProgram program = new RecordingProgram();
  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String stdin = "";

  ConfabTest(@TempDir Path dataDir) {
    environment.put("CONFAB_DATA_DIR", dataDir.toString());
  }

  @Test
  void serveTakesItsPortsFromTheArguments() {
    int code = run("serve", "--port", "9000", "--management-port=9001", "--data-dir", "here");

    assertThat(code).isZero();
    assertThat(program.served)
        .singleElement()
        .satisfies(
            config -> {
              assertThat(config.http().port()).isEqualTo(9000);
              assertThat(config.management().port()).isEqualTo(9001);
              assertThat(config.dataDir()).isEqualTo(Path.of("here"));
            });
  }

  @Test
  void clusterTakesNumberAndPortAndHandsTheNodesTheirVariables() {
    environment.put("CONFAB_LIMITS_BODY_BYTES", "1000");
    environment.put("HOME", "/nowhere");

    assertThat(run("cluster")).isZero();
    assertThat(run("cluster", "3", "--port", "9000", "--data-dir", "here")).isZero();

    assertThat(program.clusters.getFirst().ports())
        .containsExactly(8080, 8081, 8082, 8090, 8091, 8092);
    ClusterPlan plan = program.clusters.getLast();
    assertThat(plan.nodes()).isEqualTo(3);
    assertThat(plan.port(3)).isEqualTo(9020);
    assertThat(plan.environment())
        .containsEntry("CONFAB_LIMITS_BODY_BYTES", "1000")
        .doesNotContainKey("HOME");
    assertThat(out.toString()).contains("ran");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cluster 0",
        "cluster 9",
        "cluster two",
        "cluster 2 --port 65500",
        "chat --room lobby",
        "chat --as ada",
        "chat --as ada --room lobby --server ftp://host",
        "replay FILE",
        "replay --room r --speed -1 FILE",
        "export --as ada",
        "room",
        "room join --as ada",
        "room add lobby --as ada"
      })
  void whatIsAskedWrongIsNotBegun(String arguments) {
    assertThat(run(arguments.split(" ", -1))).isEqualTo(2);

    assertThat(program.clusters).isEmpty();
    assertThat(err.toString()).contains("Usage: confab ");
  }

  @Test
  void aConfigurationThatCannotBeUsedEndsWithTwoAndAllProblems() {
    environment.put("CONFAB_HTTP_HOST", "");

    assertThat(run("serve", "--port", "many")).isEqualTo(2);

    assertThat(program.served).isEmpty();
    assertThat(err.toString())
        .contains("http.port: many is not allowed: a whole number, 0 to 65535 (command line)")
        .contains("http.host: ");
    assertThat(run("check-config", "--config", "no/such.yaml")).isEqualTo(2);
  }

  @Test
  void checkConfigPrintsEveryKeyWithoutSecrets() {
    environment.put("CONFAB_REDIS_URL", "redis://:hush@127.0.0.1:6379");

    assertThat(run("check-config")).isZero();

    assertThat(program.checked).hasSize(1);
    assertThat(out.toString()).contains("http.port: 8080", "redis.url: ***");
    assertThat(out.toString()).doesNotContain("hush");
  }

  @Test
  void createSendsHandlePasswordNameAndRole() {
    stdin = "correct horse\nmore\n";

    int code =
        run("account", "create", "ann", "--display-name", "Ann", "--admin", "--password-stdin");

    assertThat(code).isZero();
    assertThat(program.ran)
        .containsExactly(
            "account.create {\"handle\":\"ann\",\"password\":\"correct horse\",\"admin\":true,"
                + "\"display_name\":\"Ann\"}");
    assertThat(out.toString()).isEqualToIgnoringNewLines("{\"ok\":true}");
    assertThat(program.closed).isEqualTo(1);
  }

  @Test
  void adminGivesOrRevokesTheRole() {
    assertThat(run("account", "admin", "ann")).isZero();
    assertThat(run("account", "admin", "ann", "--revoke")).isZero();

    assertThat(program.ran)
        .containsExactly(
            "account.admin {\"handle\":\"ann\",\"admin\":true}",
            "account.admin {\"handle\":\"ann\",\"admin\":false}");
  }

  @Test
  void accountsAreListedAndShown() {
    assertThat(run("account", "list")).isZero();
    assertThat(run("account", "list", "--after", "0000000000ann")).isZero();
    assertThat(run("account", "show", "ann")).isZero();

    assertThat(program.ran)
        .containsExactly(
            "account.list {}",
            "account.list {\"after\":\"0000000000ann\"}",
            "account.show {\"handle\":\"ann\"}");
  }

  @Test
  void epochIsShownOrRaised() {
    assertThat(run("epoch")).isZero();
    assertThat(run("epoch", "bump")).isZero();

    assertThat(program.ran).containsExactly("epoch {}", "epoch.bump {}");
  }

  @Test
  void unreadCountsAreComparedUntilNoPageIsLeft() {
    Iterator<ObjectNode> pages =
        List.of(compared(2, 3, 0).put("next", 7L), compared(1, 1, 1).put("uncompared", 1))
            .iterator();
    program.answer = _ -> pages.next();

    assertThat(run("unread", "--check")).isEqualTo(1);

    assertThat(program.ran).containsExactly("unread.check {}", "unread.check {\"after\":7}");
    assertThat(out.toString())
        .contains("{\"accounts\":3,\"markers\":4,\"differing\":1,\"uncompared\":1}");
  }

  private static ObjectNode compared(long accounts, long markers, long differing) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("accounts", accounts)
        .put("markers", markers)
        .put("differing", differing);
  }

  @Test
  void unreadCountsThatAreRightEndWithZero() {
    program.answer = _ -> compared(2, 3, 0);

    assertThat(run("unread", "--check")).isZero();
    assertThat(run("unread")).isEqualTo(2);
  }

  @Test
  void passwordAndMigrateRunTheCommandsOfTheirNames() {
    stdin = "new password";

    assertThat(run("account", "password", "ann", "--password-stdin")).isZero();
    assertThat(run("migrate")).isZero();

    assertThat(program.ran)
        .containsExactly(
            "account.password {\"handle\":\"ann\",\"password\":\"new password\"}", "migrate {}");
  }

  @Test
  void withoutTerminalOrStandardInputThereIsNoPassword() {
    assertThat(run("account", "create", "ann")).isEqualTo(2);
    assertThat(run("account", "create", "ann", "--password-stdin")).isEqualTo(2);

    assertThat(err.toString()).contains("use --password-stdin", "no password on standard input");
    assertThat(program.ran).isEmpty();
  }

  @Test
  void aPasswordIsNoArgument() {
    assertThat(run("account", "create", "ann", "--password", "hush")).isEqualTo(2);
    assertThat(run("chat", "--as", "ann", "--room", "r", "--password", "hush")).isEqualTo(2);
  }

  @Test
  void aRefusalIsOneLineAndEndsWithOne() {
    program.answer =
        command -> {
          throw new Refusal(ErrorCode.CONFLICT, "handle", "is taken");
        };

    assertThat(run("account", "admin", "ann")).isEqualTo(1);

    assertThat(err.toString()).isEqualToIgnoringNewLines("handle: is taken");
    assertThat(program.closed).isEqualTo(1);
  }

  @Test
  void aBugShowsItsStack() {
    program.answer =
        command -> {
          throw new IllegalStateException("a bug");
        };

    assertThat(run("migrate")).isEqualTo(1);

    assertThat(err.toString()).contains("IllegalStateException: a bug", "\tat ");
  }

  @Test
  void versionNamesConfabAndJava() {
    assertThat(run("version")).isZero();

    assertThat(out.toString()).contains("Confab ", "Java 25");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "serve",
        "migrate",
        "backup",
        "restore",
        "check-config",
        "version",
        "cluster",
        "chat",
        "replay",
        "export",
        "room",
        "room list",
        "room find",
        "room create",
        "room join",
        "room leave",
        "room members",
        "room add",
        "room show",
        "room remove",
        "room ban",
        "room unban",
        "room mute",
        "room unmute",
        "room invite",
        "room accept",
        "room archive",
        "account",
        "account list",
        "account show",
        "account create",
        "account admin",
        "account password",
        "account bot",
        "account forget",
        "epoch",
        "epoch bump",
        "keys",
        "keys rotate"
      })
  void everyCommandHasHelp(String command) {
    assertThat(run((command + " --help").strip().split(" ", -1))).isZero();

    assertThat(out.toString()).startsWith("Usage: " + ("confab " + command).strip());
  }

  @Test
  void withoutACommandAllAreTold() {
    run("--help");

    assertThat(out.toString()).containsPattern("(?s) serve .* export .* version ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "account", "dance", "serve --prot 1", "account create", "migrate now"})
  void wrongUseEndsWithTwoAndTellsTheUsage(String arguments) {
    assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1))).isEqualTo(2);

    assertThat(err.toString()).contains("Usage: confab");
  }

  private int run(String... arguments) {
    var input = new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8));
    return new Confab(program, environment, input, Tty.NONE)
        .execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }
}
