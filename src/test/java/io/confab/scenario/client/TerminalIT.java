package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.demo.World;
import io.confab.scenario.ApiClient;
import io.confab.scenario.Nodes;
import io.confab.scenario.Terminal;
import io.confab.scenario.Terminal.Open;
import io.confab.scenario.Terminal.Result;
import io.confab.screen.PlainScreen;
import io.confab.testing.Futures;
import io.confab.testing.VirtualTerminal;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands for people, run against two nodes.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TerminalIT {

  private Nodes nodes;

  @BeforeAll
  void start() {
    nodes = Nodes.start(2);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private Terminal terminal(Path folder) {
    return new Terminal(folder, server(0) + "," + server(1));
  }

  private String server(int node) {
    return "http://127.0.0.1:" + nodes.port(node);
  }

  /// Signs somebody up who makes a channel.
  private void channel(Terminal terminal, String handle, String name) {
    Result made = terminal.run("", "room", "create", name, "--as", handle, "--sign-up");
    assertThat(made).returns(0, Result::exit);
  }

  private static void awaitOut(Open chat, String... parts) {
    await().untilAsserted(() -> assertThat(chat.out()).contains(parts));
  }

  @Test
  void twoPeopleTalkAndSeeWhatWasSaidBefore(@TempDir Path folder) {
    Terminal terminal = terminal(folder);
    channel(terminal, "anna", "two");
    assertThat(terminal.run("before\n", "chat", "--as", "anna", "--room", "two"))
        .returns(0, Result::exit);
    Open anna = terminal.open("chat", "--as", "anna", "--room", "two");
    awaitOut(anna, "#1 ✓ anna: before");
    Open bert =
        new Terminal(folder, server(1)).open("chat", "--as", "bert", "--sign-up", "--room", "two");
    awaitOut(bert, "#1 anna: before");
    awaitOut(anna, "* bert joined");

    bert.type("hello anna");
    awaitOut(anna, "#2 bert: hello anna");
    anna.type("/reply 2 hello bert");
    awaitOut(bert, "#3 anna: ↪ #2 hello bert");
    anna.type("/nonsense");
    awaitOut(anna, "✗ /nonsense is not known");
    anna.type("//slash");
    awaitOut(bert, "#4 anna: /slash");
    anna.type("/edit 4 /better");
    awaitOut(bert, "* anna edited #4: /better");
    bert.type("/delete 2");
    awaitOut(anna, "* bert deleted message #2");
    anna.type("/history");
    awaitOut(anna, "* there is nothing older");
    anna.type("/rooms");
    awaitOut(anna, "  two");

    assertThat(bert.end()).isZero();
    anna.type("/quit");
    assertThat(anna.end()).isZero();
    assertThat(anna.out()).containsOnlyOnce("hello anna").containsOnlyOnce("✓ anna: ↪ #2");
  }

  @Test
  void otherRoomsAreOneCommandAway(@TempDir Path folder) {
    Terminal terminal = terminal(folder);
    channel(terminal, "carl", "first room");
    channel(terminal, "dora", "second room");
    assertThat(terminal.run("in the second\n", "chat", "--as", "dora", "--room", "second room"))
        .returns(0, Result::exit);
    Open carl = terminal.open("chat", "--as", "carl", "--room", "first room");
    awaitOut(carl, "* first room");

    carl.type("/join nowhere");
    awaitOut(carl, "✗ There is no room nowhere for you");
    carl.type("/join second room");
    awaitOut(carl, "#1 dora: in the second");
    carl.type("hello second");
    awaitOut(carl, "#2 ✓ carl: hello second");
    carl.type("/join @dora");
    awaitOut(carl, "* @dora");
    carl.type("for you alone");
    awaitOut(carl, "#1 ✓ carl: for you alone");
    assertThat(carl.end()).isZero();

    assertThat(terminal.run("/history\n", "chat", "--as", "dora", "--room", "@carl").out())
        .contains("carl: for you alone");
  }

  @Test
  void everyLineOfAPipeIsStoredOnceAndInOrder(@TempDir Path folder) {
    Terminal terminal = terminal(folder);
    channel(terminal, "edda", "pipe");
    List<String> lines = IntStream.range(0, 500).mapToObj(i -> "line " + i).toList();

    Result piped = terminal.run(String.join("\n", lines), "chat", "--as", "edda", "--room", "pipe");

    assertThat(piped).isEqualTo(new Result(0, "", ""));
    assertThat(exported(terminal, "edda", "pipe"))
        .extracting(message -> message.getString("body"))
        .isEqualTo(lines);
  }

  @Test
  void aSecondWindowAndAPipeEndNoWindow(@TempDir Path folder) {
    Terminal terminal = terminal(folder);
    channel(terminal, "otto", "windows");
    Open first = terminal.open("chat", "--as", "otto", "--room", "windows");
    awaitOut(first, "* windows, members: 1");
    Open second = terminal.open("chat", "--as", "otto", "--room", "windows");
    awaitOut(second, "* windows, members: 1");

    second.type("from the second");
    awaitOut(first, "#1 ✓ otto: from the second");
    assertThat(terminal.run("from a pipe\n", "chat", "--as", "otto", "--room", "windows"))
        .returns(0, Result::exit);
    first.type("from the first");

    awaitOut(first, "#2 ✓ otto: from a pipe", "#3 ✓ otto: from the first");
    awaitOut(second, "#2 ✓ otto: from a pipe", "#3 ✓ otto: from the first");
    assertThat(first.out() + second.out()).doesNotContain("displaced", "not connected");
    assertThat(first.end()).isZero();
    Open third = terminal.open("chat", "--as", "otto", "--room", "windows");
    awaitOut(third, "* windows, members: 1");
    assertThat(third.end()).isZero();
    assertThat(second.end()).isZero();
    assertThat(devices("otto")).containsExactlyInAnyOrder("terminal-1", "terminal-2");
  }

  private List<String> devices(String handle) {
    JsonObject all =
        ApiClient.signIn(nodes.port(0), handle, null)
            .at(nodes.port(0))
            .ok("GET", "/v1/devices", null);
    return all.getJsonArray("devices").stream()
        .map(device -> ((JsonObject) device).getString("name"))
        .filter(name -> name.startsWith("terminal"))
        .toList();
  }

  private static void awaitScreen(VirtualTerminal seat, String... parts) {
    await().untilAsserted(() -> assertThat(seat.screen()).contains(parts));
  }

  /// What a screen shows at one moment; times and days differ from run to run.
  private static String moment(String title, VirtualTerminal seat) {
    String shown =
        seat.screen()
            .replaceAll("(?m)^\\d\\d:\\d\\d ", "hh:mm ")
            .replaceAll("(?m)^—— .* ——$", "—— day ——");
    return "=== %s%n%s%n".formatted(title, shown);
  }

  @ParameterizedTest
  @ValueSource(ints = {80, 40})
  void twoPeopleTypeWhileMessagesComeIn(int columns, @TempDir Path folder) throws IOException {
    String ann = "ann" + columns;
    String bea = "bea" + columns;
    String room = "attic" + columns;
    Terminal people = terminal(folder);
    channel(people, ann, room);
    people.run("", "room", "join", room, "--as", bea, "--sign-up");
    channel(people, bea, "cellar" + columns);
    people.run("", "room", "join", "cellar" + columns, "--as", ann);
    VirtualTerminal left = new VirtualTerminal(columns, 24);
    VirtualTerminal right = new VirtualTerminal(columns, 24);
    left.type("typed too early");
    Open first = people.openIn(left, "chat", "--as", ann, "--room", room, "--no-color");
    Open second = people.openIn(right, "chat", "--as", bea, "--room", room, "--no-color");
    awaitScreen(left, "members: 2", "[" + room + "]", "typed too early▏");
    awaitScreen(right, "members: 2", "[" + room + "]", "› ▏");
    StringBuilder recording = new StringBuilder(moment("what was typed too early is kept", left));

    left.type(" and still half a line, which is longer than a row of forty");
    right.type("I interrupt you\r");
    awaitScreen(left, "#1 " + bea + ": I interrupt you", "[" + room + "]", "of forty▏");
    recording.append(moment("a message comes while one types", left));
    left.type("\r");
    awaitScreen(left, "#2 ✓ " + ann, "[" + room + " · #2 ✓✓ read]", "› ▏");
    awaitScreen(right, "#2 " + ann, "[" + room + " · #1 ✓✓ read]", "› ▏");
    recording.append(moment("it was sent", left)).append(moment("and received", right));
    right.type("/join cellar\t\r");
    awaitScreen(right, "[cellar" + columns + "]", "› ▏");
    right.type("nobody is looking\r/join @" + ann + "\r");
    awaitScreen(right, "[@" + ann + " · online]", "› ▏");
    right.type("for you alone\rand once more\r");
    awaitScreen(left, "@" + bea + " 2 · cellar" + columns + " 1 · #2", "› ▏");
    recording.append(moment("news of other rooms", left));
    left.type("/mem\t\r");
    awaitScreen(left, "member  " + bea, "› ▏");
    left.type("/nonsense\r");
    awaitScreen(left, "✗ /nonsense", "› ▏");
    recording.append(moment("commands", left));
    left.type("/quit\r");
    right.type("/quit\r");

    assertThat(first.exit()).isZero();
    assertThat(second.exit()).isZero();
    recording.append(moment("the end", left));
    Path expected = Path.of("src/test/resources/io/confab/terminal/two-people-" + columns + ".txt");
    assertThat(recording.toString()).isEqualTo(Files.readString(expected));
  }

  @Test
  void aDeviceThatIsAskedForIsTheOnlyOnesWindow(@TempDir Path folder) {
    Terminal terminal = terminal(folder);
    channel(terminal, "paula", "asked");
    Open first = terminal.open("chat", "--as", "paula", "--room", "asked", "--device", "desk");
    awaitOut(first, "* asked, members: 1");

    Open second = terminal.open("chat", "--as", "paula", "--room", "asked", "--device", "desk");

    assertThat(second.end()).isOne();
    assertThat(second.err()).contains("Another window uses the device desk");
    assertThat(first.end()).isZero();
    assertThat(first.out()).doesNotContain("displaced");
  }

  @Test
  void aLineThatFailsForGoodIsToldAndEndsWithOne(@TempDir Path folder) {
    Terminal terminal = terminal(folder);
    channel(terminal, "fritz", "fails");

    Result piped =
        terminal.run(
            "before\n" + "x".repeat(20_000) + "\nafter\n",
            "chat",
            "--as",
            "fritz",
            "--room",
            "fails");

    assertThat(piped).returns(1, Result::exit);
    assertThat(piped.out().lines()).singleElement().asString().startsWith("✗ too_large");
    assertThat(exported(terminal, "fritz", "fails")).hasSize(2);
  }

  @Test
  void whatOthersWroteIsShownWithoutItsPower(@TempDir Path folder) {
    ApiClient writer = ApiClient.person(nodes.port(0), "gustav", "Gus\u200btav").at(nodes.port(0));
    String room =
        writer
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject()
                    .put("type", "channel")
                    .put("name", "po\u2060wer")
                    .put("description", "for\u202e all"))
            .getString("room_id");
    writer.ok(
        "POST",
        "/v1/rooms/" + room + "/messages",
        new JsonObject()
            .put("client_id", "c-1")
            .put("body", "a\u202eb\u2028c\u2066d\ttab")
            .put("topic", "to\u00adpic"));
    Terminal gerda = terminal(folder);

    String all =
        Stream.of(
                List.of("room", "find", "po", "--as", "gerda", "--sign-up"),
                List.of("room", "join", "po\u2060wer", "--as", "gerda"),
                List.of("chat", "--as", "gerda", "--room", room),
                List.of("room", "list", "--as", "gerda"),
                List.of("room", "show", room, "--as", "gerda"),
                List.of("room", "members", room, "--as", "gerda"))
            .map(command -> gerda.run("/settings\n/history\n", command.toArray(String[]::new)))
            .map(result -> result.out() + result.err())
            .collect(Collectors.joining());

    assertThat(all)
        .contains(
            "po<U+2060>wer — for<U+202E> all",
            "name         po<U+2060>wer",
            "gustav: [to<U+AD>pic] a<U+202E>b<U+2028>c<U+2066>d    tab",
            "Gus<U+200B>tav")
        .doesNotContain("\u2060", "\u202e", "\u2028", "\u2066", "\u00ad", "\u200b");
  }

  @Test
  void whatAServerAnswersIsToldWithoutItsPower(@TempDir Path folder) {
    HttpServer hostile =
        Futures.get(
            nodes
                .vertx()
                .createHttpServer()
                .requestHandler(
                    request ->
                        request
                            .response()
                            .setStatusCode(400)
                            .end(
                                """
                                {"error":{"code":"invalid_field","message":"\\u001b[2Jgone",
                                 "retryable":false}}\
                                """))
                .listen(0, "127.0.0.1"));

    Result refused =
        new Terminal(folder, "http://127.0.0.1:" + hostile.actualPort())
            .run("", "room", "list", "--as", "gerda");

    assertThat(refused).returns(1, Result::exit);
    assertThat(refused.err()).contains("<U+1B>[2Jgone").doesNotContain("\u001b");
  }

  @Test
  void theSignInIsKeptForItsOwnerAloneAndThePasswordNotAskedAgain(@TempDir Path folder)
      throws IOException {
    Terminal terminal = terminal(folder);
    channel(terminal, "hanna", "kept");

    try (Stream<Path> files = Files.list(folder.resolve("confab/sign-ins"))) {
      assertThat(files.toList())
          .singleElement()
          .satisfies(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .isEqualTo("rw-------"));
    }
    terminal.without("CONFAB_PASSWORD");
    assertThat(terminal.run("", "room", "list", "--as", "hanna").out()).contains("kept");
    assertThat(terminal.run("", "room", "list", "--as", "hanna", "--device", "other"))
        .returns(2, Result::exit);
    assertThat(
            terminal.run(
                "correct horse\nsecond line\n",
                "chat",
                "--as",
                "hanna",
                "--device",
                "other",
                "--room",
                "kept",
                "--password-stdin"))
        .returns(0, Result::exit);
    assertThat(exported(terminal, "hanna", "kept"))
        .extracting(message -> message.getString("body"))
        .containsExactly("second line");
  }

  @Test
  void whoIsNotKnownIsRefusedInOneLine(@TempDir Path folder) {
    Terminal terminal = terminal(folder);

    Result refused = terminal.run("", "room", "list", "--as", "nobody-here");

    assertThat(refused).returns(1, Result::exit);
    assertThat(refused.err().lines()).singleElement().asString().contains("--sign-up");
  }

  @Test
  void aServerThatIsAwayIsPassedOverAndNoneIsToldInOneLine(@TempDir Path folder) {
    channel(terminal(folder), "ida", "away");

    assertThat(
            new Terminal(folder, "http://127.0.0.1:1," + server(0))
                .run("", "room", "list", "--as", "ida"))
        .returns(0, Result::exit);
    Result refused =
        new Terminal(folder, "http://127.0.0.1:1").run("", "room", "list", "--as", "ida");
    assertThat(refused).returns(1, Result::exit);
    assertThat(refused.err().lines())
        .singleElement()
        .asString()
        .startsWith("unreachable: no server answered: Connection refused")
        .doesNotContain("Exception");
  }

  @Test
  void roomsAreMadeFoundJoinedAndLeft(@TempDir Path folder) {
    Terminal terminal = terminal(folder);
    channel(terminal, "julia", "garden talk");
    assertThat(terminal.run("", "room", "find", "den ta", "--as", "karl", "--sign-up").out())
        .contains("garden talk");
    assertThat(terminal.run("", "room", "join", "garden talk", "--as", "karl").exit()).isZero();
    assertThat(terminal.run("", "room", "members", "garden talk", "--as", "julia").out())
        .contains("julia", "karl");
    assertThat(
            terminal
                .run("", "room", "create", "shed", "--group", "--with", "karl", "--as", "julia")
                .out())
        .contains("group", "shed", "2 members");
    terminal.run("", "room", "list", "--as", "lena", "--sign-up");
    assertThat(terminal.run("", "room", "add", "shed", "lena", "--as", "julia").exit()).isZero();
    assertThat(terminal.run("", "room", "show", "shed", "--as", "lena").out())
        .contains("3 members", "0 messages");
    assertThat(terminal.run("", "room", "leave", "shed", "--as", "karl").exit()).isZero();
    assertThat(terminal.run("", "room", "show", "shed", "--as", "karl"))
        .returns(1, Result::exit)
        .satisfies(gone -> assertThat(gone.err()).contains("You are in no room shed"));
  }

  @Test
  void anExportIsWholeAndAFileAppearsOnlyThen(@TempDir Path folder) throws IOException {
    Terminal terminal = terminal(folder);
    channel(terminal, "mona", "exported");
    terminal.run("one\ntwo\nthree\n", "chat", "--as", "mona", "--room", "exported");
    Path file = folder.resolve("out.ndjson");

    Result done =
        terminal.run("", "export", "--as", "mona", "--room", "exported", "--out", file.toString());

    assertThat(done).returns(0, Result::exit);
    assertThat(done.err()).contains("Exported 3 messages of exported");
    List<JsonObject> lines = Files.readAllLines(file).stream().map(JsonObject::new).toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.getLast().getBoolean("end")).isTrue();
    assertThat(lines.getLast().getInteger("count")).isEqualTo(3);
    assertThat(terminal.run("", "export", "--as", "mona", "--room", "no such room"))
        .returns(1, Result::exit);
  }

  private static List<JsonObject> exported(Terminal terminal, String handle, String room) {
    Result export = terminal.run("", "export", "--as", handle, "--room", room);
    assertThat(export).returns(0, Result::exit);
    List<JsonObject> lines = export.out().lines().map(JsonObject::new).toList();
    return lines.subList(0, lines.size() - 1);
  }

  @Test
  void aLogIsSaidAgainByItsNicksAndASecondTimeAddsNothing(@TempDir Path folder) throws IOException {
    Terminal terminal = terminal(folder).without("CONFAB_PASSWORD");
    ChatLog log = ChatLog.made();
    Path file =
        Files.writeString(
            folder.resolve("log.txt"),
            log.lines().stream()
                .map(line -> "[12:00] <" + line.nick() + "> " + line.text())
                .collect(Collectors.joining("\n")));

    Result first = terminal.run("", "replay", "--room", "said again", file.toString());
    Result second = terminal.run("", "replay", "--room", "said again", file.toString());

    assertThat(first).returns(0, Result::exit);
    assertThat(first.out()).contains("400 lines of 30 people, 400 new, 0 there already.");
    assertThat(second).returns(0, Result::exit);
    assertThat(second.out()).contains("0 new, 400 there already.", "Nothing was added.");
    Terminal reader = terminal(folder);
    reader.run("", "room", "join", "said again", "--as", "nora", "--sign-up");
    assertThat(exported(reader, "nora", "said again"))
        .extracting(message -> message.getString("body"))
        .isEqualTo(log.lines().stream().map(ChatLog.Line::text).toList());
    assertThat(reader.run("", "room", "members", "said again", "--as", "nora").out())
        .contains("([]\\`)", "(名前)");
  }

  @Test
  void theDemoWorldIsBuiltOnceHoweverOften(@TempDir Path folder) throws Exception {
    StringWriter out = new StringWriter();
    World world =
        new World(
            nodes.vertx(),
            List.of(URI.create(server(0))),
            new PlainScreen(new PrintWriter(out), false),
            _ -> {});

    int added = world.build();

    assertThat(added).isGreaterThan(200);
    assertThat(out.toString())
        .contains("12 people", "password demo-password", "ada ", "--room lobby");
    assertThat(world.build()).isZero();
    assertThat(out.toString()).contains("277 messages, 0 of them new");
    Terminal ada = terminal(folder).without("CONFAB_PASSWORD");
    Result lobby =
        ada.run(
            "demo-password\n/history\n",
            "chat",
            "--as",
            "ada",
            "--room",
            "lobby",
            "--password-stdin");
    assertThat(lobby.out()).contains("✓ ada: Thanks, all. Have a good afternoon.");
    assertThat(ada.run("", "room", "list", "--as", "ada").out())
        .contains("Reading circle", "@ben", "travel");
    assertThat(exported(ada, "ada", "support"))
        .filteredOn(message -> message.containsKey("deleted_at"))
        .singleElement()
        .satisfies(message -> assertThat(message.containsKey("body")).isFalse());
    assertThat(exported(ada, "ada", "kitchen"))
        .filteredOn(message -> message.containsKey("edited_at"))
        .singleElement()
        .satisfies(message -> assertThat(message.getString("body")).endsWith("a larger one."));
  }
}
