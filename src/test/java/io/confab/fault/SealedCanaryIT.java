package io.confab.fault;

import static io.confab.testing.Futures.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.client.sealed.SealedLine;
import io.confab.client.sealedroom.SealedState;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.client.SealedChat;
import io.confab.testing.OwnRedis;
import io.confab.testing.RespConnection;
import io.confab.testing.TestDatabase;
import io.confab.testing.WordSearch;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/// Nothing of what people say in sealed rooms is anywhere at the server. They say a thousand lines,
/// by the client of the JVM, on two nodes with one embedded PostgreSQL; then all that the server
/// has is searched: each table, each file, whatever went to Redis and came from there, its keys,
/// the logs, the metrics, and the heaps of both nodes, from which nothing was ever collected. What
/// is said in a plain room is found by the same search.
///
/// The Redis is one of the test's own, because the embedded one lets nobody look.
@ExtendWith(VertxExtension.class)
@Tag("full")
@Timeout(900)
class SealedCanaryIT {
  private static final int LINES = 1_000;
  private static final int AT_ONCE = 60;
  private static final int LETTERS = 20;

  /// Nothing that was in the heap leaves it, so a dump holds all that ever was there.
  private static final List<String> NOTHING_COLLECTED =
      List.of("-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xmx2g");

  /// Of a line, on its way to the other node.
  private static final long LEAST_BYTES = 500;

  private static final int PORT_LINE = 3;

  private final Vertx vertx;

  /// In each line of sealed rooms, at both ends.
  private final String sealed = word();

  /// In each line of a plain room.
  private final String plain = word();

  /// The words that were found, by place.
  private final Map<String, Set<String>> found = new TreeMap<>();

  /// What went to Redis and came from there, by connection.
  private final List<WordSearch.Pass> ways = new CopyOnWriteArrayList<>();

  /// How many bytes of it.
  private final AtomicLong passed = new AtomicLong();

  /// How large they are, in MB.
  private final List<Long> heaps = new ArrayList<>();

  SealedCanaryIT(Vertx vertx) {
    this.vertx = vertx;
  }

  private static String word() {
    return new SecureRandom()
        .ints(LETTERS, 'a', 'z' + 1)
        .mapToObj(letter -> Character.toString((char) letter))
        .reduce("", String::concat);
  }

  @Test
  void nothingThatIsSaidInSealedRoomsIsAtTheServer(@TempDir Path folder) throws Exception {
    Path data = folder.resolve("data");
    Path other = folder.resolve("other");
    WordSearch search = new WordSearch(List.of(sealed, plain));
    try (OwnRedis redis = OwnRedis.start();
        TcpProxy proxy = TcpProxy.before(redis.address(), () -> reading(search));
        NodeProcess one = node(folder, data, Map.of("CONFAB_REDIS_URL", proxy.url()));
        NodeProcess two = node(folder, other, onTheSame(data, proxy))) {
      List<SealedChat> chats = talk(one, two, folder.resolve("clients"));
      chats.forEach(SealedChat::close);
      sayPlainly(one, two);

      assertThat(passed.get()).as("bytes to Redis and back").isGreaterThan(LINES * LEAST_BYTES);
      for (int way = 0; way < ways.size(); way++) {
        found.put("way %d to Redis or back".formatted(way), ways.get(way).found());
      }
      keys(redis, search);
      tables(superuser(data), search);
      files(data, search);
      files(other, search);
      for (NodeProcess node : List.of(one, two)) {
        String name = node == one ? "one" : "two";
        assertThat(node.output()).contains("Starting node");
        found.put("log of " + name, search.in(node.output()));
        found.put("metrics of " + name, search.in(node.management("/metrics")));
        found.put("heap of " + name, heap(node, folder, search));
      }
    }
    System.out.printf(
        "%d places were searched, heaps of %s MB, and %d kB on the way to Redis and back%n",
        found.size(), heaps, passed.get() >> 10);

    assertThat(placesWith(sealed)).isEmpty();
    assertThat(placesWith(plain))
        .as("where the same search finds what was said in a plain room")
        .contains("table message", "heap of one", "heap of two", "keys of Redis")
        .anyMatch(place -> place.startsWith("way "))
        .anyMatch(place -> place.startsWith("file ") && place.contains("/pg_wal/"))
        .anyMatch(place -> place.startsWith("file ") && place.contains("/base/"));
  }

  private List<String> placesWith(String word) {
    return found.keySet().stream()
        .filter(place -> found.getOrDefault(place, Set.of()).contains(word))
        .toList();
  }

  private static NodeProcess node(Path folder, Path data, Map<String, String> more)
      throws IOException {
    Map<String, String> variables = new HashMap<>(more);
    variables.put("CONFAB_LOG_LEVEL", "DEBUG");
    Path noClasses = Files.createDirectories(folder.resolve("no-classes"));
    NodeProcess node = NodeProcess.changed(noClasses, NOTHING_COLLECTED, data, 0, variables);
    node.awaitReady();
    return node;
  }

  private static Map<String, String> onTheSame(Path data, TcpProxy redis) throws IOException {
    return Map.of(
        "CONFAB_REDIS_URL",
        redis.url(),
        "CONFAB_POSTGRES_URL",
        "postgresql://confab_node:%s@127.0.0.1:%d/confab"
            .formatted(secret(data, "postgres-node.password"), superuser(data).port()));
  }

  private static PostgresUrl superuser(Path data) throws IOException {
    Path running = data.resolve("postgres/data/postmaster.pid");
    int port = Integer.parseInt(Files.readAllLines(running).get(PORT_LINE).strip());
    String password = secret(data, "postgres.password");
    return new PostgresUrl("127.0.0.1", port, "confab", "confab", password);
  }

  private static String secret(Path data, String name) throws IOException {
    return Files.readString(data.resolve("secrets").resolve(name)).strip();
  }

  /// Each way of each connection is a text of its own.
  private Filter reading(WordSearch search) {
    WordSearch.Pass sent = search.new Pass();
    WordSearch.Pass answered = search.new Pass();
    ways.addAll(List.of(sent, answered));
    return new Filter() {
      @Override
      public byte[] toServer(byte[] bytes) {
        return read(sent, bytes);
      }

      @Override
      public byte[] toClient(byte[] bytes) {
        return read(answered, bytes);
      }
    };
  }

  private byte[] read(WordSearch.Pass pass, byte[] bytes) {
    pass.read(bytes);
    passed.addAndGet(bytes.length);
    return bytes;
  }

  /// Three people in a direct room and a group; each has read all in the end.
  private List<SealedChat> talk(NodeProcess one, NodeProcess two, Path stores) {
    SealedChat ann = SealedChat.of("ann", vertx, one.port(), stores.resolve("ann"));
    SealedChat bob = SealedChat.of("bob", vertx, two.port(), stores.resolve("bob"));
    SealedChat cid = SealedChat.of("cid", vertx, two.port(), stores.resolve("cid"));
    List<SealedChat> all = List.of(ann, bob, cid);
    await().until(() -> all.stream().allMatch(chat -> chat.states.contains(SealedState.READY)));
    RoomId direct = get(ann.api.createDirect(bob.account())).roomId();
    RoomId group =
        get(ann.api.createGroup("G", null, List.of(bob.account(), cid.account()))).roomId();
    get(ann.api.keeping(direct).seal());
    get(ann.api.keeping(group).seal());

    List<String> texts = new ArrayList<>(say(direct, List.of(ann, bob), 0, LINES / 2));
    texts.addAll(say(group, all, LINES / 2, LINES));
    assertThat(texts).hasSize(LINES).doesNotHaveDuplicates();
    for (SealedChat chat : List.of(ann, bob)) {
      await().untilAsserted(() -> assertThat(chat.texts()).hasSize(LINES));
      assertThat(chat.texts()).containsExactlyInAnyOrderElementsOf(texts);
    }
    await()
        .untilAsserted(
            () ->
                assertThat(cid.texts())
                    .containsExactlyInAnyOrderElementsOf(texts.subList(LINES / 2, LINES)));
    return all;
  }

  /// Some at a time, as a client keeps no more of them.
  private List<String> say(RoomId room, List<SealedChat> by, int from, int to) {
    List<String> texts = new ArrayList<>();
    for (int begin = from; begin < to; begin += AT_ONCE) {
      List<Future<SealedLine>> said =
          IntStream.range(begin, Math.min(to, begin + AT_ONCE))
              .mapToObj(
                  i ->
                      by.get(i % by.size())
                          .rooms
                          .say(room, "%s \"%d\" %s".formatted(sealed, i, sealed)))
              .toList();
      said.forEach(line -> texts.add(get(line).text()));
    }
    return texts;
  }

  private void sayPlainly(NodeProcess one, NodeProcess two) {
    Person dan = ApiClient.person(one.port(), "dan", "Dan");
    Person eve = ApiClient.person(two.port(), "eve", "Eve");
    String room = dan.at(one.port()).channel("plain");
    eve.at(two.port()).join(room);
    ChatClient speaker = ChatClient.live(vertx, one.port(), dan.token());
    ChatClient listener = ChatClient.live(vertx, two.port(), eve.token());
    for (int i = 0; i < 10; i++) {
      ChatClient.get(speaker.send(room, "c" + i, plain + " " + i));
    }
    await().untilAsserted(() -> assertThat(listener.bodies(room)).hasSize(10));
    speaker.cut();
    listener.cut();
  }

  /// All values of all keys, one of which the test sets.
  private void keys(OwnRedis redis, WordSearch search) throws IOException {
    WordSearch.Pass pass = search.new Pass();
    try (RespConnection connection = new RespConnection(redis.port(), redis.password())) {
      connection.command("SET", "of the test", plain);
      String cursor = "0";
      do {
        String[] page = connection.command("SCAN", cursor, "COUNT", "1000").split("\n", -1);
        cursor = page[0];
        for (int i = 1; i < page.length && !page[i].isEmpty(); i++) {
          pass.read((page[i] + "\n" + value(connection, page[i])).getBytes(UTF_8));
        }
      } while (!cursor.equals("0"));
    }
    found.put("keys of Redis", pass.found());
  }

  private static String value(RespConnection connection, String key) throws IOException {
    return switch (connection.command("TYPE", key)) {
      case "string" -> connection.command("GET", key);
      case "hash" -> connection.command("HGETALL", key);
      case "list" -> connection.command("LRANGE", key, "0", "-1");
      case "set" -> connection.command("SMEMBERS", key);
      case "zset" -> connection.command("ZRANGE", key, "0", "-1", "WITHSCORES");
      case "none" -> ""; // it ended meanwhile
      default -> throw new IllegalStateException("a key of an unknown kind: " + key);
    };
  }

  /// What is only in the memory of PostgreSQL goes to its files as well.
  private void tables(PostgresUrl postgres, WordSearch search) throws SQLException, IOException {
    try (Connection connection = TestDatabase.connect(postgres);
        Statement statement = connection.createStatement()) {
      statement.execute("CHECKPOINT");
      List<String> tables = new ArrayList<>();
      try (ResultSet rows =
          statement.executeQuery(
              """
              SELECT format('%I.%I', nspname, relname) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
               WHERE relkind IN ('r', 'm', 't') AND nspname <> 'information_schema'\
              """)) {
        while (rows.next()) {
          tables.add(rows.getString(1));
        }
      }
      assertThat(tables).contains("public.message", "public.envelope", "public.envelope_payload");
      var copies = connection.unwrap(PGConnection.class).getCopyAPI();
      for (String table : tables) {
        WordSearch.Pass pass = search.new Pass();
        copies.copyOut("COPY (SELECT * FROM " + table + ") TO STDOUT", reading(pass));
        found.put("table " + table.replaceFirst("^public\\.", ""), pass.found());
      }
    }
  }

  private static OutputStream reading(WordSearch.Pass pass) {
    return new OutputStream() {
      @Override
      public void write(int each) {
        pass.read(new byte[] {(byte) each});
      }

      @Override
      public void write(byte[] bytes, int from, int length) {
        pass.read(Arrays.copyOfRange(bytes, from, from + length));
      }
    };
  }

  /// Those that PostgreSQL removes meanwhile are passed over.
  private void files(Path data, WordSearch search) throws IOException {
    Files.walkFileTree(
        data,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            try {
              if (attributes.isRegularFile()) {
                found.put("file " + file, search.in(file));
              }
              return FileVisitResult.CONTINUE;
            } catch (IOException failure) {
              return visitFileFailed(file, failure);
            }
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
  }

  private Set<String> heap(NodeProcess node, Path folder, WordSearch search)
      throws IOException, InterruptedException {
    Path dump = folder.resolve("heap-" + node.pid());
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(node.pid()),
                "GC.heap_dump",
                "-all",
                dump.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("jcmd").toFile())
            .start();
    assertThat(jcmd.waitFor()).as(Files.readString(folder.resolve("jcmd"))).isZero();
    heaps.add(Files.size(dump) >> 20);
    Set<String> words = search.in(dump);
    Files.delete(dump);
    return words;
  }
}
