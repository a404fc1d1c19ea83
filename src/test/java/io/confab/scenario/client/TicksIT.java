package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.client.Account;
import io.confab.client.ClientListener;
import io.confab.client.ClientOptions;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.CredentialStore;
import io.confab.client.RoomSignal;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.confab.scenario.Nodes;
import io.confab.scenario.Terminal;
import io.confab.scenario.Terminal.Open;
import io.confab.scenario.Terminal.Result;
import io.confab.testing.Futures;
import io.confab.testing.VirtualTerminal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ann chats in a terminal, Bob with a program of his own, on two nodes: what each learns of the
/// other besides messages.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TicksIT {
  private static final Secret PASSWORD = new Secret("battery staple");

  private Nodes nodes;
  private Terminal terminal;
  private final List<RoomSignal> heard = new CopyOnWriteArrayList<>();

  @BeforeAll
  void start(@TempDir Path folder) {
    nodes = Nodes.start(2);
    terminal = new Terminal(folder, "http://127.0.0.1:" + nodes.port(0));
    assertThat(terminal.run("", "room", "create", "den", "--as", "ann", "--sign-up"))
        .returns(0, Result::exit);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private ConfabApi signedUp(String handle) {
    ConfabApi api =
        new ConfabApi(
            nodes.vertx(),
            List.of(URI.create("http://127.0.0.1:" + nodes.port(1))),
            CredentialStore.memory());
    Futures.get(api.signUp(handle, PASSWORD, null));
    Futures.get(api.signIn(handle, PASSWORD, new DeviceInfo(new DeviceId("d"), "test", "test")));
    return api;
  }

  private ConfabClient live(ConfabApi api, ClientOptions options) {
    ConfabClient client =
        new ConfabClient(
            api,
            options,
            new ClientListener() {
              @Override
              public void signalled(RoomSignal signal) {
                heard.add(signal);
              }
            });
    Futures.get(client.connect());
    return client;
  }

  private static void awaitScreen(VirtualTerminal seat, String... parts) {
    await().untilAsserted(() -> assertThat(seat.screen()).contains(parts));
  }

  /// It is shown for some seconds, in which the machine may stand still.
  private static void typesUntilSeen(
      ConfabClient client, RoomId room, VirtualTerminal seat, String shown) {
    await()
        .untilAsserted(
            () -> {
              client.typing(room);
              assertThat(seat.screen()).contains(shown);
            });
  }

  private static RoomId join(ConfabApi api, String name) {
    return Futures.get(api.join(Futures.get(api.findChannels(name)).getFirst().roomId())).roomId();
  }

  private static String statusOf(String handle, ConfabApi asker) {
    Account account = Futures.get(asker.account(handle)).orElseThrow();
    return Futures.get(asker.presences().of(List.of(account.accountId()))).getFirst().status();
  }

  @Test
  void whoSendsSeesWhatWasDeliveredAndReadAndWhoTypes() {
    ConfabApi bob = signedUp("bob");
    RoomId den = join(bob, "den");
    ConfabClient client = live(bob, ClientOptions.usual());
    VirtualTerminal seat = new VirtualTerminal(80, 24);
    Open ann = terminal.openIn(seat, "chat", "--as", "ann", "--room", "den", "--no-color");
    awaitScreen(seat, "[den]", "› ▏");

    seat.type("hello");
    await()
        .until(
            () -> {
              seat.type("!\u007f"); // and goes on, as it may be lost on the way
              return heard.stream().anyMatch(s -> s instanceof RoomSignal.Typing t && t.typing());
            });
    seat.type("\r");
    awaitScreen(seat, "ann: hello", "[den · #1 ✓✓ delivered]");
    await()
        .until(() -> heard.stream().anyMatch(s -> s instanceof RoomSignal.Typing t && !t.typing()));
    client.markRead(den, new Seq(1));
    awaitScreen(seat, "[den · #1 ✓✓ read]");
    seat.type("/readers\r");
    awaitScreen(seat, "#1 was read by bob");

    seat.type("/away Lunch\r");
    await().until(() -> statusOf("ann", bob).equals("away"));
    seat.type("/who\r");
    awaitScreen(seat, "online   bob (bob)", "away     ann (ann), Lunch");
    seat.type("/back\r");
    await().until(() -> statusOf("ann", bob).equals("online"));
    seat.type("/who\r");
    awaitScreen(seat, "online   ann (ann)");

    typesUntilSeen(client, den, seat, "[den · bob is typing … · #1 ✓✓ read]");
    client.stopTyping();
    awaitScreen(seat, "[den · #1 ✓✓ read]");
    typesUntilSeen(client, den, seat, "bob is typing …");
    client.send(den, "hello @ann");
    awaitScreen(seat, "#2 @ bob: hello @ann", "[den · #1 ✓✓ read]");

    await()
        .until(
            () ->
                heard.stream()
                    .anyMatch(
                        s ->
                            s instanceof RoomSignal.Read read
                                && read.equals(new RoomSignal.Read(den, new Seq(2)))));
    seat.type("/quit\r");
    assertThat(ann.exit()).isZero();
    Result again = terminal.run("/history\n", "chat", "--as", "ann", "--room", "den");
    assertThat(again.out()).contains("#2 @ bob: hello @ann");
    Futures.get(client.close());
  }

  @Test
  void whatIsUnreadShowsUntilItIsReadAndWhenItIsMarked() {
    ConfabApi cat = signedUp("cat");
    assertThat(terminal.run("", "room", "create", "loft", "--as", "ann")).returns(0, Result::exit);
    RoomId loft = join(cat, "loft");
    ConfabClient client = live(cat, ClientOptions.usual().confirmsDelivered(false));
    Futures.get(client.send(loft, "one").sent());
    Futures.get(client.send(loft, "two, @ann").sent());
    assertThat(terminal.run("", "room", "list", "--as", "ann").out())
        .contains("loft  2 unread (@1)");

    Open elsewhere = terminal.open("chat", "--as", "ann", "--room", "@cat");
    await().untilAsserted(() -> assertThat(elsewhere.out()).contains("* unread: loft 2 (@1)"));
    elsewhere.type("/rooms");
    await().untilAsserted(() -> assertThat(elsewhere.out()).contains("  loft  2 unread (@1)"));
    elsewhere.type("/join loft");
    await()
        .untilAsserted(
            () ->
                assertThat(elsewhere.out().lines())
                    .anyMatch(line -> line.equals("—— unread: 2 (@1) ——"))
                    .anyMatch(line -> line.endsWith("#2 @ cat: two, @ann")));
    await().until(() -> heard.contains(new RoomSignal.Read(loft, new Seq(2))));

    elsewhere.type("/unread 2");
    await().untilAsserted(() -> assertThat(elsewhere.out()).contains("* #2 and what follows"));
    Futures.get(client.send(loft, "three").sent());
    await().untilAsserted(() -> assertThat(elsewhere.out()).contains("#3 cat: three"));
    elsewhere.type("/rooms");
    await().untilAsserted(() -> assertThat(elsewhere.out()).contains("  loft  2 unread (@1)"));
    elsewhere.type("/read");
    await().untilAsserted(() -> assertThat(elsewhere.out()).contains("Everything in this room"));
    await().until(() -> heard.contains(new RoomSignal.Read(loft, new Seq(3))));
    assertThat(elsewhere.end()).isZero();
    assertThat(terminal.run("", "room", "list", "--as", "ann").out()).contains("loft\n");

    assertThat(terminal.run("/unread\n", "chat", "--as", "ann", "--room", "loft"))
        .isEqualTo(new Result(0, "* #3 and what follows is unread.\n", ""));
    assertThat(terminal.run("", "room", "list", "--as", "ann").out()).contains("loft  1 unread\n");
    assertThat(terminal.run("/read\n/readers 3\n", "chat", "--as", "ann", "--room", "loft").out())
        .contains("* Everything in this room is read.\n", "* none\n");
    assertThat(terminal.run("", "room", "list", "--as", "ann").out()).contains("loft\n");
    Futures.get(client.close());
  }

  @Test
  void whoComesAndGoesIsToldWhileOneChats() {
    ConfabApi eva = signedUp("eva");
    ConfabClient client = live(eva, ClientOptions.usual());
    RoomId den = join(eva, "den");
    VirtualTerminal seat = new VirtualTerminal(80, 24);
    Open ann = terminal.openIn(seat, "chat", "--as", "ann", "--room", "@eva", "--no-color");
    awaitScreen(seat, "[@eva · online]", "› ▏");
    Futures.get(eva.presences().set("away", "Lunch"));
    awaitScreen(seat, "* eva is away, Lunch", "[@eva · away, Lunch]");

    seat.type("/join den\r");
    awaitScreen(seat, "* den, members: ", "› ▏");
    seat.type("/who\r");
    awaitScreen(seat, "online   ann (ann)", "away     eva (eva), Lunch", "* there: ");
    Futures.get(client.close());
    awaitScreen(seat, "* eva is offline");

    ConfabApi gil = signedUp("gil");
    ConfabClient third = live(gil, ClientOptions.usual());
    join(gil, "den");
    awaitScreen(seat, "* gil is online");
    Futures.get(third.close());
    awaitScreen(seat, "* gil is offline");

    ConfabApi fay = signedUp("fay");
    ConfabClient other = live(fay, ClientOptions.usual());
    Futures.get(fay.createDirect(Futures.get(fay.account("ann")).orElseThrow().accountId()));
    await()
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              Futures.get(fay.presences().set("away", "since " + System.nanoTime()));
              return seat.screen().contains("* fay is away, since");
            });
    Futures.get(other.close());
    seat.type("/quit\r");
    assertThat(ann.exit()).isZero();
    Futures.get(eva.leave(den));
  }
}
