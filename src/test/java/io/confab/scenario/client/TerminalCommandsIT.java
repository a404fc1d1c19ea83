package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.Nodes;
import io.confab.scenario.Terminal;
import io.confab.scenario.Terminal.Open;
import io.confab.scenario.Terminal.Result;
import io.confab.testing.VirtualTerminal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What can be typed after `/` besides talking, each of it once.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TerminalCommandsIT {
  private Nodes nodes;
  private Terminal terminal;

  @BeforeAll
  void start(@TempDir Path folder) {
    nodes = Nodes.start(1);
    terminal = new Terminal(folder, "http://127.0.0.1:" + nodes.port(0));
    for (String who : List.of("ann", "ben", "cat", "dov")) {
      assertThat(terminal.run("", "room", "create", "den of " + who, "--as", who, "--sign-up"))
          .returns(0, Result::exit);
    }
    for (String group : List.of("attic", "cellar")) {
      assertThat(terminal.run("", "room", "create", group, "--group", "--as", "ann"))
          .returns(0, Result::exit);
    }
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  /// What is typed, in a room of one's own, and what comes of it.
  private Result typed(String who, String room, String... lines) {
    return terminal.run(String.join("\n", lines) + "\n", "chat", "--as", who, "--room", room);
  }

  private void does(String who, String room, String line, String... shown) {
    Result result = typed(who, room, line);
    assertThat(result.exit()).as(line + ": " + result.out()).isZero();
    shows(result, shown);
  }

  private void isRefused(String who, String room, String line, String why) {
    assertThat(typed(who, room, line))
        .returns(1, Result::exit)
        .satisfies(r -> shows(r, "✗ " + why, ": " + line));
  }

  private static void shows(Result result, String... parts) {
    assertThat(List.of(parts)).allSatisfy(part -> assertThat(result.out()).contains(part));
  }

  @Test
  void severalPeopleAreAddedInOneGo() {
    does("dov", "den of dov", "/invited_by nobody");
    does("cat", "den of cat", "/add ben  dov", "ben is a member.", "dov is asked whether to join.");
    does("cat", "den of cat", "/members", "owner   cat", "member  ben");
    does("cat", "den of cat", "/who", "  cat (cat)", "  ben (Ben");
    isRefused("cat", "den of cat", "/add ann nobody", "Nobody has the handle nobody.");
    assertThat(typed("cat", "den of cat", "/members").out()).doesNotContain("ann");
    does("cat", "den of cat", "/ban ann");
    Result half = typed("cat", "den of cat", "/add ben ann");
    assertThat(half.exit()).isOne();
    shows(half, "ben is a member.", "✗ ann: conflict: the account is banned");
    assertThat(terminal.run("", "room", "add", "den of cat", "ben", "ann", "--as", "cat"))
        .satisfies(result -> assertThat(result.exit()).isOne())
        .satisfies(result -> assertThat(result.out()).isEqualTo("ben is a member.\n"))
        .satisfies(result -> assertThat(result.err()).contains("ann: conflict: "));
  }

  @Test
  void devicesAreListedNamedAndSignedOut() {
    assertThat(terminal.run("", "room", "list", "--as", "dov", "--device", "phone"))
        .returns(0, Result::exit);
    does("dov", "den of dov", "/devices", " terminal-1 (", ", this one", " phone (");
    does("dov", "den of dov", "/device phone old phone", "* It has this name now.");
    Result listed = typed("dov", "den of dov", "/devices");
    shows(listed, " old phone (");
    isRefused("dov", "den of dov", "/forget phone", "You have no device phone; /devices lists");
    String id =
        listed
            .out()
            .lines()
            .filter(line -> line.contains(" old phone ("))
            .map(line -> line.strip().split(" ", 2)[0])
            .findFirst()
            .orElseThrow();
    does("dov", "den of dov", "/forget " + id, "* It is signed out.");
    assertThat(typed("dov", "den of dov", "/devices").out()).doesNotContain("old phone");
  }

  @Test
  void anAccountIsRemovedByItsPasswordAfterAQuestion(@TempDir Path own) {
    Terminal people = new Terminal(own, "http://127.0.0.1:" + nodes.port(0));
    assertThat(people.run("", "room", "create", "den of eli", "--as", "eli", "--sign-up"))
        .returns(0, Result::exit);
    VirtualTerminal seat = new VirtualTerminal(80, 24);
    Open chat = people.openIn(seat, "chat", "--as", "eli", "--room", "den of eli", "--no-color");
    awaitScreen(seat, "[den of eli]", "› ▏");
    seat.type("/remove_account\r");
    awaitScreen(seat, "* This removes your account for good", "Password, or nothing to keep it: ▏");
    seat.type("\r");
    awaitScreen(seat, "* Your account stays.", "› ▏");
    seat.type("/remove_account\rwrong horse\r");
    awaitScreen(seat, "is not the password", "› ▏");
    seat.type("/remove_account\rcorrect horse\r");
    assertThat(chat.exit()).isZero();
    assertThat(seat.screen()).contains("* Your account is removed; what you said stays.");
    assertThat(people.run("", "room", "list", "--as", "eli").exit()).isNotZero();
  }

  private static void awaitScreen(VirtualTerminal seat, String... parts) {
    await().untilAsserted(() -> assertThat(seat.screen()).contains(parts));
  }

  @Test
  void whatTheApiCanDoInRoomsCanBeTyped() {
    does("ben", "den of ben", "/invited_by nobody", "* Who may add you unasked: nobody.");
    isRefused("ben", "den of ben", "/invited_by x", "/invited_by WHOM");
    does("ben", "den of ben", "/invitations", "* none");
    does("ann", "attic", "/add ben", "ben is asked whether to join.");
    does("ben", "den of ben", "/invitations", "  attic, by ann, ");
    isRefused("ben", "den of ben", "/decline cellar", "Nobody asks you to join cellar");
    does("ann", "cellar", "/add ben", "ben is asked whether to join.");
    does("ben", "den of ben", "/decline cellar", "* You are asked no longer");
    does("ben", "den of ben", "/accept attic");
    does("ben", "den of ben", "/invitations", "* none");

    does("ann", "attic", "/members", "owner   ann", "member  ben");
    does("ann", "attic", "/role ben admin", "* ben is now admin.");
    does("ben", "attic", "/set slow_mode_s 5", "slow_mode_s  5");
    does("ben", "attic", "/settings", "name         attic", "slow_mode_s  5");
    does("ann", "attic", "/role ben member", "* ben is now member.");
    isRefused("ben", "attic", "/set name loft", "forbidden");
    does("ann", "attic", "/mute ben 5", "* ben is muted.");
    does("ann", "attic", "/unmute ben", "* ben may speak again.");
    does("ann", "attic", "/ban ben noise", "* ben is banned.");
    does("ann", "attic", "/unban ben", "* ben may join again.");

    String code = typed("ann", "attic", "/invite 1 2").out().strip();
    does("ann", "attic", "/invites", "used 0 of 2, until ");
    does("ben", "den of ben", "/accept " + code);
    does("ann", "attic", "/invites", "used 1 of 2, until ");
    does("ann", "attic", "/revoke " + code, "* The invitation is deleted.");
    does("ann", "attic", "/invites", "* none");

    does("ben", "attic", "/block ann", "* ann is blocked.");
    does("ben", "attic", "/blocks", "  ann");
    does("ben", "attic", "/unblock ann", "* ann is blocked no longer.");
    does("ann", "attic", "/remove ben", "* ben is removed.");
    does("ben", "den of ben", "/invited_by everyone", "everyone.");
    does("ann", "attic", "/add ben", "ben is a member.");
    does("ann", "attic", "/transfer ben", "* ben owns this room now.");
    does("ben", "attic", "/name Benjamin", "* Others see this name now.");
    does("ben", "attic", "/archive", "* This room takes no more messages");
    isRefused("ann", "attic", "too late", "conflict: the room is archived");
    isRefused("ann", "attic", "/password", "/password asks, and needs a terminal");
    isRefused("ann", "attic", "/remove_account", "/remove_account asks, and needs a terminal");
    does("ann", "attic", "/leave", "* You have left this room");
  }
}
