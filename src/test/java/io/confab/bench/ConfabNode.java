package io.confab.bench;

import static java.util.Objects.requireNonNull;

import io.confab.postgres.PostgresUrl;
import io.confab.testing.TempFolders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Confab from a jar with its embedded servers, by default but for limits that one client would
/// meet, and tokens that last as long as the benchmark.
final class ConfabNode implements Startable {
  static final String NAME = "Confab";

  /// An earlier one.
  static final String BEFORE = "before";

  /// One whose people confirm what they receive, as clients do in rooms with receipts.
  static final String CONFIRMED = "confirmed";

  /// One whose rooms are sealed.
  static final String SEALED = "sealed";

  private static final String JAR = System.getProperty("confab.jar", "target/confab.jar");
  private static final Pattern READY =
      Pattern.compile("Confab is ready: http://127.0.0.1:(\\d+) \\(management on port (\\d+)\\)");
  private static final String API_KEY = "benchmark".repeat(4);
  private static final int ACCOUNTS_PER_CALL = 1_000;
  private static final int CALLERS = 4;
  private static final int PORT_LINE = 3;
  private static final String MUCH = "1000000/s burst 1000000";
  private static final List<String> RATES =
      List.of(
          "sends",
          "room_sends",
          "rooms",
          "members",
          "reads",
          "writes",
          "admin",
          "hellos",
          "resumes",
          "frames",
          "requests",
          "connections",
          "upgrades");

  private final String name;
  private final String jar;
  private final Manner manner;
  private final Path data;
  private Launch node;
  private @Nullable Heap heap;
  private @Nullable ConfabSpeech someone;
  private int port;

  /// How its people meet and speak.
  ///
  /// @param confirms whether they say what has been delivered to them
  /// @param apart whether they meet in direct rooms and groups, in place of channels
  /// @param seals whether these are sealed
  /// @param devices of each account, who are people of their own to the benchmark
  private record Manner(boolean confirms, boolean apart, boolean seals, int devices) {
    static final Manner USUAL = new Manner(false, false, false, 1);
  }

  ConfabNode() {
    this(NAME, JAR, Manner.USUAL);
  }

  private ConfabNode(String name, String jar, Manner manner) {
    this.name = name;
    this.jar = jar;
    this.manner = manner;
    this.data = TempFolders.create("confab-bench-data");
    this.node = launch();
  }

  static ConfabNode confirmed() {
    return new ConfabNode(CONFIRMED, JAR, new Manner(true, false, false, 1));
  }

  /// Whose people have so many devices each, in direct rooms and groups.
  static ConfabNode apart(int devices) {
    return new ConfabNode(NAME, JAR, new Manner(false, true, false, devices));
  }

  /// The same in sealed rooms.
  static ConfabNode sealed(int devices) {
    return new ConfabNode(SEALED, JAR, new Manner(false, true, true, devices));
  }

  static ConfabNode before(String jar) {
    if (!Files.isReadable(Path.of(jar))) {
      throw new IllegalStateException("--before names no jar: " + jar);
    }
    return new ConfabNode(BEFORE, jar, Manner.USUAL);
  }

  /// As `scripts/run` starts one, with the cache that is made once a build.
  private Launch launch() {
    ProcessBuilder command =
        new ProcessBuilder(
            Launch.program(),
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+UseCompactObjectHeaders",
            "-Xlog:aot*=off",
            "-XX:AOTCache=" + jar.replaceFirst("\\.jar$", ".aot"),
            "-jar",
            jar,
            "serve",
            "--data-dir",
            data.toString(),
            "--port",
            "0",
            "--management-port",
            "0");
    Map<String, String> environment = command.environment();
    environment.keySet().removeIf(name -> name.startsWith("CONFAB_"));
    environment.put("CONFAB_API_KEY", API_KEY);
    environment.put("CONFAB_ACCOUNTS_ACCESS_TOKEN_TTL", "1d");
    environment.put("CONFAB_HTTP_ADDRESS_CONNECTIONS", "100000");
    for (String rate : RATES) {
      environment.put("CONFAB_RATES_" + rate.toUpperCase(Locale.ROOT), MUCH);
    }
    Launch launch = Launch.of(command);
    try {
      Matcher ready = launch.await(READY);
      port = Integer.parseInt(ready.group(1));
      return launch;
    } catch (IllegalStateException failed) {
      launch.close();
      throw failed;
    }
  }

  @Override
  public void stop() {
    heap = null;
    node.close();
  }

  @Override
  public void start() {
    node = launch();
  }

  @Override
  public void ask() {
    new JsonApi(port, "Bearer " + requireNonNull(someone).token()).get("/v1/me");
  }

  /// The superuser's way to the embedded database.
  PostgresUrl database() {
    try {
      Path running = data.resolve("postgres/data/postmaster.pid");
      int at = Integer.parseInt(Files.readAllLines(running).get(PORT_LINE).strip());
      String password = Files.readString(data.resolve("secrets/postgres.password")).strip();
      return new PostgresUrl("127.0.0.1", at, "confab", "confab", password);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public List<Long> roots() {
    return List.of(node.pid());
  }

  @Override
  public Framing framing() {
    return new WebSocketFraming("/v1/socket", "Sec-WebSocket-Protocol: confab.v1\r\n");
  }

  @Override
  public boolean echoes() {
    return false;
  }

  @Override
  public List<Speech> furnish(Layout layout) {
    List<ConfabSpeech> people = people(layout);
    return manner.seals() ? SealedSpeech.of(port, layout, people) : List.copyOf(people);
  }

  List<ConfabSpeech> people(Layout layout) {
    JsonApi api = new JsonApi(port, "Key " + API_KEY);
    List<String> accounts = new ArrayList<>();
    int wanted = layout.people() / manner.devices();
    for (int from = 0; from < wanted; from += ACCOUNTS_PER_CALL) {
      accounts.addAll(accounts(api, Math.min(ACCOUNTS_PER_CALL, wanted - from)));
    }
    List<String> devices =
        IntStream.range(0, layout.people())
            .mapToObj(person -> accounts.get(person / manner.devices()))
            .toList();
    List<String> rooms =
        each(
            layout.rooms(),
            members -> room(api, members.stream().map(devices::get).distinct().toList()));
    List<ConfabSpeech> people =
        each(devices, account -> token(api, account)).stream()
            .map(token -> new ConfabSpeech(this, token, rooms, manner.confirms()))
            .toList();
    someone = people.getFirst();
    return people;
  }

  /// Some at a time.
  static <T, R> List<R> each(List<T> of, Function<T, R> what) {
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      return of.stream()
          .map(one -> CompletableFuture.supplyAsync(() -> what.apply(one), callers))
          .toList()
          .stream()
          .map(CompletableFuture::join)
          .toList();
    }
  }

  @Override
  public OptionalLong allocated() {
    if (heap == null) {
      heap = Heap.of(node.pid());
    }
    return OptionalLong.of(heap.allocated());
  }

  private static List<String> accounts(JsonApi api, int count) {
    JsonArray wanted = new JsonArray();
    IntStream.range(0, count).forEach(_ -> wanted.add(new JsonObject().put("handle", unique("p"))));
    JsonObject made =
        api.post("/v1/admin/accounts", new JsonObject().put("accounts", wanted), null);
    return made.getJsonArray("accounts").stream()
        .map(account -> ((JsonObject) account).getString("account_id"))
        .toList();
  }

  private static String token(JsonApi api, String account) {
    JsonObject device = new JsonObject().put("name", "bench").put("platform", "bench");
    return api.post(
            "/v1/admin/tokens",
            new JsonObject().put("account_id", account).put("device", device),
            null)
        .getString("access_token");
  }

  /// The first member makes it.
  private String room(JsonApi api, List<String> members) {
    boolean direct = manner.apart() && members.size() == 2;
    JsonObject wanted =
        new JsonObject()
            .put("type", direct ? "direct" : manner.apart() ? "group" : "channel")
            .put("members", new JsonArray(members.subList(1, members.size())));
    if (!direct) {
      wanted.put("name", unique("room "));
    }
    JsonObject room = api.post("/v1/rooms", wanted, members.getFirst());
    if (room.getInteger("member_count") != members.size()) {
      throw new IllegalStateException("not all became members: " + room);
    }
    return room.getString("room_id");
  }

  private static String unique(String before) {
    return before + UUID.randomUUID().toString().replace("-", "").substring(0, 20);
  }

  @Override
  public void close() {
    node.close();
    TempFolders.delete(data);
  }
}
