package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.RawSocket;
import io.confab.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Accounts that within their limits drive what is bounded in bytes to its bound, in a node of
/// 256 MB that ends when its heap does: it stays, and two others go on talking, each of whose
/// messages is acknowledged and received. How long that takes is printed beside the quiet times.
@ExtendWith(VertxExtension.class)
@Tag("full")
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SmallNodeIT {
  private static final int ACCOUNTS = 10;
  private static final int ROOMS = 24;
  private static final int TIMES = 66;
  private static final String BODY = "x".repeat(16_000);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /// What may stay in the heap of what strangers began, in MB.
  private static final int MOST_LEFT_MB = 16;

  /// One address alone may have a quarter of all connections only, and so many a second.
  private static final int STRANGERS_ADDRESSES = 10;

  private static final String REQUEST = "GET /v1/me HTTP/1.1\r\nhost: localhost\r\n";

  /// A head of many fields, a body of which a part comes, and requests of which none is read.
  private static final List<String> UNFINISHED =
      List.of(
          REQUEST + "a: b\r\n".repeat(1_000),
          "POST /v1/tokens HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
              + "content-length: 4000\r\n\r\n{"
              + " ".repeat(3_000),
          (REQUEST + "\r\n").repeat(200));

  private final Vertx vertx;
  private final List<Person> people = new ArrayList<>();
  private final List<List<String>> rooms = new ArrayList<>();
  private NodeProcess node;
  private Memory memory;
  private String calm;
  private ChatClient speaker;
  private ChatClient observer;
  private int said;

  SmallNodeIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @BeforeAll
  void start(@TempDir Path data) {
    node =
        NodeProcess.start(
            data,
            0,
            Map.of(
                "JDK_JAVA_OPTIONS",
                "-XX:+ExitOnOutOfMemoryError",
                "CONFAB_RATES_SENDS",
                "50/s burst 500",
                "CONFAB_RATES_CHANGES",
                "50/s burst 500"));
    memory = new Memory(node.pid());
    Person alice = ApiClient.person(node.port(), "alice", "Alice");
    Person bob = ApiClient.person(node.port(), "bob", "Bob");
    calm = alice.at(node.port()).channel("calm");
    bob.at(node.port()).join(calm);
    speaker = ChatClient.live(vertx, node.port(), alice.token());
    observer = ChatClient.live(vertx, node.port(), bob.token());
    for (int i = 0; i < ACCOUNTS; i++) {
      Person person = ApiClient.person(node.port(), "talker" + i, "Talker");
      people.add(person);
      rooms.add(IntStream.range(0, ROOMS).mapToObj(_ -> group(person)).toList());
    }
  }

  private String group(Person owner) {
    return owner
        .at(node.port())
        .ok("POST", "/v1/rooms", new JsonObject().put("type", "group").put("name", "g"))
        .getString("room_id");
  }

  @AfterEach
  void theNodeIsThere() {
    assertThat(node.isAlive()).as(node::output).isTrue();
  }

  @AfterAll
  void stop() {
    node.close();
  }

  /// Says something, as soon as the limits let it, and answers how long it took since then. What
  /// waited while the machine stood still is refused as well, and said again.
  private long talk() {
    String body = "still here " + said++;
    long begun = System.nanoTime();
    JsonObject ack = ChatClient.get(speaker.send(calm, body, body));
    while (ack.getBoolean("retryable", false)) {
      long pause = Math.max(1, ack.getLong("retry_after_ms", 0L));
      Futures.get(vertx.timer(pause, TimeUnit.MILLISECONDS));
      if ("rate_limited".equals(ack.getString("code"))) {
        begun = System.nanoTime();
      }
      ack = ChatClient.get(speaker.send(calm, body, body));
    }
    assertThat(ack.getString("type")).as("%s", ack).isEqualTo("message.ack");
    CompletableFuture<Void> heard = new CompletableFuture<>();
    observer.listen(
        frame -> {
          if (body.equals(frame.getString("body"))) {
            heard.complete(null);
          }
        });
    if (observer.bodies(calm).contains(body)) {
      heard.complete(null);
    }
    ChatClient.get(heard);
    return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
  }

  /// Lets the others talk until all is done, or so often.
  private Histogram talkUntil(CompletableFuture<?> done, int most) {
    Histogram times = new Histogram(3);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (times.getTotalCount() < most && !done.isDone() && System.nanoTime() < end) {
      times.recordValue(talk());
    }
    return times;
  }

  private void report(String what, Histogram quiet, Histogram busy) {
    System.out.printf(
        "%s: others p50 %.1f ms, p99 %.1f ms (quiet %.1f, %.1f) over %d messages;"
            + " live heap %d MB, resident %d MB%n",
        what,
        busy.getValueAtPercentile(50) / 1e3,
        busy.getValueAtPercentile(99) / 1e3,
        quiet.getValueAtPercentile(50) / 1e3,
        quiet.getValueAtPercentile(99) / 1e3,
        busy.getTotalCount(),
        memory.liveHeapMb(),
        memory.residentMb());
    assertThat(node.isAlive()).as(node::output).isTrue();
    assertThat(node.output()).doesNotContain("java.lang.OutOfMemoryError");
  }

  private Histogram quiet() {
    return talkUntil(new CompletableFuture<>(), 200);
  }

  private List<Flood> floods(int times) {
    List<Flood> floods = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      floods.add(Flood.begin(vertx, node.port(), people.get(i).token(), rooms.get(i), BODY, times));
    }
    return floods;
  }

  private static CompletableFuture<Void> all(List<Flood> floods) {
    return CompletableFuture.allOf(
        floods.stream().map(Flood::done).toArray(CompletableFuture[]::new));
  }

  /// What feeds remember, and what Redis keeps.
  @Test
  void largeMessagesInManyRooms() throws Exception {
    Histogram quiet = quiet();
    List<Flood> floods = floods(TIMES);
    CompletableFuture<Void> all = all(floods);
    Histogram busy = talkUntil(all, Integer.MAX_VALUE);
    all.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    report("large messages in many rooms", quiet, busy);
    assertThat(floods.stream().mapToInt(Flood::acknowledged).sum())
        .isEqualTo(ACCOUNTS * ROOMS * TIMES);
    floods.forEach(Flood::close);
  }

  /// What waits for sockets, and the frames and pages of their replays.
  @Test
  void readersThatReplayLargeMessagesAndStop() throws Exception {
    List<Flood> floods = floods(4);
    all(floods).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    floods.forEach(Flood::close);
    Histogram quiet = quiet();
    long epoch = speaker.welcome().getJsonArray("rooms").getJsonObject(0).getLong("epoch");
    List<RawSocket> stalled = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Person person = people.get(i % ACCOUNTS).onAnotherDevice(node.port());
      RawSocket socket = RawSocket.withSmallBuffer(node.port(), person.token());
      JsonArray from = new JsonArray();
      rooms.get(i % ACCOUNTS).forEach(room -> from.add(ChatClient.point(room, epoch, 1)));
      socket.say(new JsonObject().put("type", "resume").put("rooms", from).put("last", true));
      stalled.add(socket);
    }
    Histogram busy = talkUntil(new CompletableFuture<>(), 500);
    report("200 readers that replay and stop", quiet, busy);
    stalled.forEach(RawSocket::close);
  }

  /// Pages of history and exports that nobody takes.
  @Test
  void pagesAndExportsThatNobodyTakes() throws Exception {
    List<Flood> floods = floods(20);
    all(floods).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    floods.forEach(Flood::close);
    Histogram quiet = quiet();
    List<Socket> stalled = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      int who = i % ACCOUNTS;
      String room = rooms.get(who).get(i % ROOMS);
      stalled.add(ask(people.get(who), "/v1/rooms/" + room + "/messages?limit=200"));
      stalled.add(ask(people.get(who), "/v1/rooms/" + room + "/export"));
    }
    Histogram busy = talkUntil(new CompletableFuture<>(), 500);
    report("600 pages and exports that nobody takes", quiet, busy);
    for (Socket socket : stalled) {
      socket.close();
    }
  }

  /// Heads, bodies and requests behind an answer, of strangers that finish and read nothing.
  @Test
  void aThousandStrangersThatFinishNothing() throws Exception {
    long before = memory.liveHeapMb();
    Histogram quiet = quiet();
    List<Socket> begun = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      byte[] bytes = UNFINISHED.get(i % UNFINISHED.size()).getBytes(StandardCharsets.US_ASCII);
      String from = "127.0.0." + (2 + i % STRANGERS_ADDRESSES);
      maybeCut(() -> begun.add(begin(from, bytes)));
    }
    Histogram busy = talkUntil(new CompletableFuture<>(), 500);
    report("1,000 strangers that finish nothing", quiet, busy);
    for (Socket socket : begun) {
      socket.close();
    }
    assertThat(begun).hasSizeGreaterThan(100);
    assertThat(memory.liveHeapMb()).isLessThan(before + MOST_LEFT_MB);
  }

  /// All of it at once, and by a hundred: large messages, edits, pages, exports, sockets that
  /// replay and stop, frames that are not finished.
  @Test
  void aHundredAccountsThatDoAllTheyMay() throws Exception {
    Map<Person, List<String>> hundred = new LinkedHashMap<>();
    for (int i = 0; i < 100; i++) {
      Person person = ApiClient.person(node.port(), "hundred" + i, "One of a hundred");
      hundred.put(person, IntStream.range(0, 3).mapToObj(_ -> group(person)).toList());
    }
    Histogram quiet = quiet();
    List<Flood> floods = new ArrayList<>();
    List<RawSocket> stalled = Collections.synchronizedList(new ArrayList<>());
    try (var doing = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<?>> doings = new ArrayList<>();
      hundred.forEach(
          (person, theirs) -> {
            Flood flood = Flood.begin(vertx, node.port(), person.token(), theirs, BODY, 6);
            floods.add(flood);
            doings.add(
                flood
                    .done()
                    .exceptionally(_ -> null) // it was cut off
                    .thenRunAsync(() -> useUp(person, theirs, stalled), doing));
          });
      CompletableFuture<Void> all =
          CompletableFuture.allOf(doings.toArray(CompletableFuture[]::new));
      Histogram busy = talkUntil(all, Integer.MAX_VALUE);
      all.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      report("100 accounts that do all they may", quiet, busy);
    }
    floods.forEach(Flood::close);
    stalled.forEach(RawSocket::close);
  }

  /// Some of it is refused, and some connections are cut: only the node and the others matter.
  private void useUp(Person person, List<String> rooms, List<RawSocket> stalled) {
    ApiClient api = person.at(node.port());
    String edit = new JsonObject().put("body", BODY + "!").encode();
    for (String room : rooms) {
      String messages = "/v1/rooms/" + room + "/messages";
      for (int seq = 1; seq <= 3; seq++) {
        int edited = seq;
        maybeCut(() -> api.exchange("PATCH", messages + "/" + edited, edit));
      }
      maybeCut(() -> api.exchange("GET", messages + "?limit=200", null));
      maybeCut(() -> api.exchange("GET", "/v1/rooms/" + room + "/export", null));
    }
    long epoch = speaker.welcome().getJsonArray("rooms").getJsonObject(0).getLong("epoch");
    JsonArray from = new JsonArray();
    rooms.forEach(room -> from.add(ChatClient.point(room, epoch, 1)));
    for (int device = 0; device < 4; device++) {
      maybeCut(() -> stalled.add(stall(person.onAnotherDevice(node.port()), from)));
    }
  }

  private static void maybeCut(Runnable use) {
    try {
      use.run();
    } catch (UncheckedIOException | AssertionError _) {
      // a connection that was cut is gone, and a refusal is an answer
    }
  }

  /// Replays and reads nothing, and begins a frame that it does not finish.
  private RawSocket stall(Person person, JsonArray from) {
    RawSocket socket = RawSocket.withSmallBuffer(node.port(), person.token());
    socket.say(new JsonObject().put("type", "resume").put("rooms", from).put("last", true));
    byte[] whole = RawSocket.frame(RawSocket.LAST | RawSocket.TEXT, "x".repeat(60_000));
    socket.send(Arrays.copyOf(whole, 50_000));
    return socket;
  }

  private Socket ask(Person person, String path) {
    return begin(
        "127.0.0.1",
        "GET %s HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer %s\r\n\r\n"
            .formatted(path, person.token())
            .getBytes(StandardCharsets.UTF_8));
  }

  /// A connection of which nothing is read after this.
  private Socket begin(String from, byte[] bytes) {
    try {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(4_096);
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()));
      socket.getOutputStream().write(bytes);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
