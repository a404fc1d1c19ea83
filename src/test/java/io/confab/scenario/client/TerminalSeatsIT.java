package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.Nodes;
import io.confab.scenario.Terminal;
import io.confab.scenario.Terminal.Open;
import io.confab.scenario.Terminal.Result;
import io.confab.testing.VirtualTerminal;
import io.confab.testing.proxy.Filter;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ann owns a room with one seat. Bob and Cleo come with terminals, on two nodes, and Dan with
/// programs that have no socket.
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TerminalSeatsIT {
  private Nodes nodes;
  private TcpProxy line;
  private Terminal ann;
  private Terminal bob;
  private Terminal cleo;

  @BeforeAll
  void start(@TempDir Path folder) {
    nodes = Nodes.start(2);
    line = TcpProxy.before(server(0), Filter::none);
    ann = new Terminal(folder, server(1));
    bob = new Terminal(folder, line.url());
    cleo = new Terminal(folder, server(1));
  }

  @AfterAll
  void stop() {
    line.close();
    nodes.close();
  }

  private String server(int node) {
    return "http://127.0.0.1:" + nodes.port(node);
  }

  private void room(String name) {
    assertThat(ann.run("", "room", "create", name, "--as", "ann", "--sign-up"))
        .returns(0, Result::exit);
    assertThat(annTypes(name, "/capacity 1")).contains("* So many may be inside at once now: 1.");
  }

  private String annTypes(String room, String... lines) {
    return ann.run(String.join("\n", lines) + "\n", "chat", "--as", "ann", "--room", room).out();
  }

  private static Open open(Terminal terminal, VirtualTerminal seat, String who, String room) {
    return terminal.openIn(seat, "chat", "--as", who, "--sign-up", "--room", room, "--no-color");
  }

  private static void awaitScreen(VirtualTerminal seat, String... parts) {
    awaitScreen(seat, () -> {}, parts);
  }

  /// @param meanwhile is done again and again, by who is forgotten else
  private static void awaitScreen(VirtualTerminal seat, Runnable meanwhile, String... parts) {
    await()
        .untilAsserted(
            () -> {
              meanwhile.run();
              assertThat(seat.screen()).contains(parts);
            });
  }

  private JsonObject enter(Person dan, String room) {
    return dan.at(nodes.port(0)).ok("POST", "/v1/rooms/" + room + "/seats", null);
  }

  @Test
  void whoWaitsSeesThePlaceAndWalksInWithoutAKey() {
    room("booth");
    Person dan = ApiClient.person(nodes.port(0), "dan", "Dan");
    VirtualTerminal left = new VirtualTerminal(100, 24);
    VirtualTerminal right = new VirtualTerminal(100, 24);
    Open first = open(bob, left, "bob", "booth");
    awaitScreen(left, "* at most 1 can be inside at once; /enter takes a seat", "[booth]");
    left.type("/enter\r");
    awaitScreen(left, "* you are inside 1 of 1", "[booth · inside 1 of 1]");
    left.type("among us\r");
    awaitScreen(left, "✓ bob: among us");

    Open second = open(cleo, right, "cleo", "booth");
    awaitScreen(right, "* only who is inside can read", "[booth]");
    right.type("may I?\r");
    awaitScreen(right, "✗ you are outside of this room; /enter takes a seat");
    right.type("/enter\r");
    awaitScreen(right, "* you wait, place 1 of 1", "[booth · place 1 of 1");
    String room = roomOf(dan, "booth");
    Runnable danStays = () -> assertThat(enter(dan, room).getLong("position")).isEqualTo(2);
    awaitScreen(right, danStays, "[booth · place 1 of 2");
    await()
        .untilAsserted(
            () -> {
              danStays.run();
              assertThat(annTypes("booth", "/seats"))
                  .contains("* inside: 1 of 1, waiting: 2", "  inside     bob")
                  .contains("  place 1    cleo", "  place 2    dan");
            });

    assertThat(line.reset()).isPositive();
    awaitScreen(left, "* connected again", "[booth · inside 1 of 1");
    left.type("still here\r");
    awaitScreen(left, "✓ bob: still here");
    awaitScreen(right, danStays, "[booth · place 1 of 2");
    assertThat(right.screen()).doesNotContain("among us");

    left.type("/quit\r");
    assertThat(first.exit()).isZero();
    awaitScreen(
        right,
        () -> assertThat(enter(dan, room).getString("type")).isEqualTo("seat.waiting"),
        "[booth · inside 1 of 1");
    awaitScreen(right, "* you are inside 1 of 1", "bob: among us", "bob: still here");
    right.type("thank you\r");
    awaitScreen(right, "✓ cleo: thank you");

    right.type("/exit\r");
    awaitScreen(right, "* you are outside", "[booth]");
    await().until(() -> enter(dan, room).getString("type").equals("seat.inside"));
    assertThat(annTypes("booth", "/seats")).contains("  inside     dan");
    right.type("/quit\r");
    assertThat(second.exit()).as("what was said outside was not stored").isOne();
  }

  private String roomOf(Person person, String name) {
    ApiClient api = person.at(nodes.port(0));
    String id =
        api.ok("GET", "/v1/channels?query=" + name, null)
            .getJsonArray("channels")
            .getJsonObject(0)
            .getString("room_id");
    api.join(id);
    return id;
  }

  @Test
  void whoLooksAfterTheRoomLetsInAndOut() {
    room("stall");
    VirtualTerminal seat = new VirtualTerminal(100, 24);
    Open eva = open(cleo, seat, "eva", "stall");
    awaitScreen(seat, "[stall]");
    assertThat(annTypes("stall", "/enter", "/seats", "from a pipe"))
        .contains("* inside: 1 of 1, waiting: 0", "  inside     ann")
        .doesNotContain("✗");
    assertThat(annTypes("stall", "/enter", "/let_in eva")).contains("* eva waits at place 1.");
    awaitScreen(seat, "[stall · place 1 of 1");
    assertThat(annTypes("stall", "/unseat ann", "without a seat"))
        .contains("* ann is outside.", "✗ you are outside of this room");
    awaitScreen(seat, "[stall · inside 1 of 1", "ann: from a pipe");
    seat.type("/let_in ann\r");
    awaitScreen(seat, "✗ forbidden");
    assertThat(annTypes("stall", "/unseat eva")).contains("* eva is outside.");
    awaitScreen(seat, "* you are outside: who looks after this room wanted it", "[stall]");
    assertThat(annTypes("stall", "/capacity 0")).contains("* Everybody is inside");
    seat.type("at last\r");
    awaitScreen(seat, "✓ eva: at last");
    seat.type("/enter\r");
    awaitScreen(seat, "✗ invalid_field (room_id): is a room without a capacity");
    seat.type("/quit\r");
    assertThat(eva.exit()).isZero();
  }
}
