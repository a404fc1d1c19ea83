package io.confab.socket;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// One run of the Autobahn test suite (https://github.com/crossbario/autobahn-testsuite) as its
/// fuzzing client. The suite is Python; the build puts the jars of a Maven plugin that carries it
/// and of Jython into `target/autobahn`, and they run in a JVM of their own.
final class AutobahnRun {
  private static final Path FOLDER = Path.of("target", "autobahn");
  private static final Path REPORT = FOLDER.resolve("report");
  private static final String AGENT = "confab";
  private static final String PROGRAM =
      """
      import sys
      sys.argv = ['wstest', '-m', 'fuzzingclient', '-s', sys.argv[1]]
      from autobahntestsuite import wstest
      wstest.run()
      """;

  private AutobahnRun() {}

  /// How a case went.
  ///
  /// @param behavior `OK`, `NON-STRICT` (allowed, but not the canonical way), `INFORMATIONAL` or
  ///     what went wrong
  /// @param close the same for how the connection ended
  /// @param closeCode that the server sent, -1 if none
  /// @param closeCodes that the server may close with; empty where the suite closes
  record Result(String id, String behavior, String close, int closeCode, List<Integer> closeCodes) {

    /// Whether the server had said nothing of closing when the suite's time was over.
    boolean wasCutBySuite() {
      return close.equals("FAILED BY CLIENT") && closeCode == -1;
    }
  }

  /// Runs the cases (patterns such as `6.*`) against the server at this port of loopback; the
  /// answer is in the order of ids as texts.
  static List<Result> of(List<String> cases, int port, Duration limit)
      throws IOException, InterruptedException {
    Path spec = FOLDER.resolve("spec.json");
    Files.writeString(spec, spec(cases, port).encodePrettily());
    Files.deleteIfExists(REPORT.resolve("index.json"));
    Process suite = start(spec);
    try {
      if (!suite.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the suite is not done after " + limit);
      }
    } finally {
      suite.destroyForcibly();
    }
    return results();
  }

  private static JsonObject spec(List<String> cases, int port) {
    JsonObject server =
        new JsonObject()
            .put("agent", AGENT)
            .put("url", "ws://127.0.0.1:" + port)
            .put("options", new JsonObject().put("version", 18));
    return new JsonObject()
        .put("outdir", REPORT.toString())
        .put("servers", new JsonArray().add(server))
        .put("cases", new JsonArray(cases))
        .put("exclude-cases", new JsonArray())
        .put("exclude-agent-cases", new JsonObject());
  }

  private static Process start(Path spec) throws IOException {
    String log = FOLDER.resolve("run.log").toString();
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dpython.cachedir.skip=true",
            "-cp",
            FOLDER + "/*",
            "org.python.util.jython",
            "-c",
            PROGRAM,
            spec.toString())
        .redirectErrorStream(true)
        .redirectOutput(new java.io.File(log))
        .start();
  }

  private static List<Result> results() throws IOException {
    JsonObject cases =
        new JsonObject(Files.readString(REPORT.resolve("index.json"))).getJsonObject(AGENT);
    Map<String, Result> results = new TreeMap<>();
    for (String id : cases.fieldNames()) {
      JsonObject row = cases.getJsonObject(id);
      results.put(id, result(id, row, details(row.getString("reportfile"))));
    }
    return new ArrayList<>(results.values());
  }

  private static JsonObject details(String file) throws IOException {
    return new JsonObject(Files.readString(REPORT.resolve(file)));
  }

  private static Result result(String id, JsonObject row, JsonObject details) {
    JsonObject expected = details.getJsonObject("expectedClose");
    boolean serverCloses = !expected.getBoolean("closedByMe");
    Integer code = row.getInteger("remoteCloseCode");
    return new Result(
        id,
        row.getString("behavior"),
        row.getString("behaviorClose"),
        code == null ? -1 : code,
        serverCloses
            ? expected.getJsonArray("closeCode").stream().map(Integer.class::cast).toList()
            : List.of());
  }
}
