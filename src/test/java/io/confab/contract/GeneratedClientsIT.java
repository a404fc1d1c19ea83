package io.confab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Secret;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The documents go through the tools that integrators use, and what these make of them works.
/// Needs npm, Maven and Python.
@Tag("full")
@Tag("packages")
@Timeout(900)
class GeneratedClientsIT {
  private static final String GENERATOR = "7.24.0";
  private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy";
  static final String EXECUTE = "org.codehaus.mojo:exec-maven-plugin:3.6.2:java";

  private static final String API_KEY = "k".repeat(32);

  private static Workbench workbench;
  private static Nodes nodes;

  @BeforeAll
  static void prepare(@TempDir Path folder) {
    workbench = new Workbench(folder);
    workbench.run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
    workbench.run(
        "mvn",
        "-q",
        "-B",
        COPY,
        "-Dartifact=org.openapitools:openapi-generator-cli:" + GENERATOR,
        "-DoutputDirectory=.",
        "-Dmdep.stripVersion=true");
    nodes = Nodes.start(0);
    nodes.add(TestConfig.with(nodes.config(), "api_key", Optional.of(new Secret(API_KEY))));
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  @Test
  void theLintersFindNoError() {
    workbench.runTool("redocly", "lint", Workbench.document(Documents.OPENAPI));
    for (String document : new String[] {Documents.OPENAPI, Documents.ASYNCAPI}) {
      workbench.runTool("spectral", "lint", Workbench.document(document));
    }
  }

  @Test
  void theParserOfAsyncapiFindsNoFault() {
    int stated = new Documents().source(Documents.ASYNCAPI).at("/components/messages").size();

    assertThat(
            workbench.run("node", "asyncapi.mjs", Workbench.document(Documents.ASYNCAPI)).strip())
        .isEqualTo(stated + " messages");
  }

  @Test
  void strictTypeScriptTellsEventsAndTombstonesApart() {
    workbench.runTool(
        "openapi-typescript", Workbench.document(Documents.OPENAPI), "-o", "confab.d.ts");

    workbench.runTool("tsc", "--strict", "--noEmit", "narrowing.ts");
  }

  @Test
  void aClientForFetchIsGeneratedCompiledAndCallsANode() {
    generate("typescript-fetch", "generated");
    workbench.runTool("tsc", "--strict", "--target", "es2022", "--module", "commonjs", "fetch.ts");

    assertThat(workbench.run("node", "fetch.js", url(), API_KEY).strip())
        .isEqualTo("room.event Hello\na token of a bot");
  }

  @Test
  void aClientForJavaIsGeneratedCompiledAndCallsANode() throws IOException {
    generate("java", "java");
    Files.copy(workbench.path("Call.java"), workbench.path("java/src/main/java/Call.java"));

    String printed =
        workbench.runIn(
            "java",
            "mvn",
            "-q",
            "-B",
            "-Dmaven.test.skip=true",
            "compile",
            EXECUTE,
            "-Dexec.mainClass=Call",
            "-Dexec.args=" + url() + " " + API_KEY);

    assertThat(printed).contains("room.event\nHello\na token of a bot");
  }

  @Test
  void aClientForPythonIsGeneratedAndCompiled() {
    generate("python", "python");

    workbench.run("python3", "-m", "compileall", "-q", "python");
    assertThat(workbench.path("python/openapi_client/api/__pycache__")).isNotEmptyDirectory();
  }

  private static String url() {
    return "http://127.0.0.1:" + nodes.port(0);
  }

  private static void generate(String language, String into) {
    workbench.run(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-jar",
        "openapi-generator-cli.jar",
        "generate",
        "-i",
        Workbench.document(Documents.OPENAPI),
        "-g",
        language,
        "-o",
        into);
  }
}
