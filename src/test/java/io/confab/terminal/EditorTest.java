package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.testing.Patience;
import io.confab.testing.VirtualTerminal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class EditorTest {
  private final BlockingQueue<String> read = new LinkedBlockingQueue<>();
  private final Known known = new Known();
  private VirtualTerminal virtual = new VirtualTerminal(40, 10);

  private Editor editor() throws Exception {
    Editor editor = new Editor(virtual.terminal(), known, true);
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              String line = editor.read();
              while (line != null) {
                read.add(line);
                line = editor.read();
              }
              read.add("(end)");
            });
    awaitScreen("› ▏");
    return editor;
  }

  private void awaitScreen(String whole) {
    await().untilAsserted(() -> assertThat(virtual.screen()).isEqualTo(whole));
  }

  private String next() throws InterruptedException {
    return next(read);
  }

  private static String next(BlockingQueue<String> of) throws InterruptedException {
    return of.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void whatComesInStandsAboveWhatIsBeingTyped() throws Exception {
    Editor editor = editor();
    virtual.type("I am typing a half line that is longer than a row");
    awaitScreen("› I am typing a half line that is longer\n than a row▏");

    editor.line("05:13 #42 ben: interrupting, and with more than one row of text");
    editor.status("lobby · @ben 1");

    awaitScreen(
        """
        05:13 #42 ben: interrupting, and with mo
        re than one row of text
        lobby · @ben 1
        › I am typing a half line that is longer
         than a row▏\
        """);
    virtual.type("!\r");
    assertThat(next()).isEqualTo("I am typing a half line that is longer than a row!");
    awaitScreen(
        """
        05:13 #42 ben: interrupting, and with mo
        re than one row of text
        lobby · @ben 1
        › ▏\
        """);
  }

  @Test
  void whoTypesSomethingToSayIsNoticedAndWhoTypesACommandIsNot() throws Exception {
    List<Boolean> noticed = new CopyOnWriteArrayList<>();
    Editor editor = editor();
    editor.watch(noticed::add);

    virtual.type("/help\r");
    assertThat(next()).isEqualTo("/help");
    assertThat(noticed).hasSize(6).containsOnly(false);
    noticed.clear();
    virtual.type("hi\r");
    assertThat(next()).isEqualTo("hi");
    assertThat(noticed).containsExactly(false, true, true);
  }

  @Test
  void aLineStaysInTheHistoryAndArrowsChangeIt() throws Exception {
    Editor editor = editor();
    virtual.type("don't \\ask! \"why\r");
    assertThat(next()).isEqualTo("don't \\ask! \"why");

    virtual.type("\u001bOA\u001bOD\u001bOD\u001bODw\r");

    assertThat(next()).isEqualTo("don't \\ask! \"wwhy");
    assertThat(editor.isTerminal()).isTrue();
  }

  @Test
  void commandsHandlesAndRoomsAreCompleted() throws Exception {
    editor();
    known.handles(List.of("ben", "carl"));
    known.rooms(List.of("Reading circle"));

    virtual.type("/mem\t\r");
    virtual.type("be\thello @ca\t\r");
    virtual.type("/role c\tad\t\r");
    virtual.type("/join Rea\t\r");
    virtual.type("/add be\tca\tbe\t\r");

    assertThat(List.of(next(), next(), next(), next(), next()))
        .extracting(String::strip)
        .containsExactly(
            "/members",
            "ben: hello @carl",
            "/role carl admin",
            "/join Reading circle",
            "/add ben carl ben");
  }

  @Test
  void whatComesInLeavesTheQuestionForAPasswordAndNobodySeesIt() throws Exception {
    Editor editor = new Editor(virtual.terminal(), known, true);
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    Thread.startVirtualThread(
        () -> {
          try {
            answers.add(editor.secret("New password: "));
            answers.add(String.valueOf(editor.read()));
          } catch (IOException broken) {
            answers.add(broken.toString());
          }
        });
    awaitScreen("New password: ▏");

    virtual.type("hun");
    editor.line("05:13 #42 ben: interrupting");
    editor.status("lobby · @ben 1");
    awaitScreen("05:13 #42 ben: interrupting\nlobby · @ben 1\nNew password: ▏");
    virtual.type("ter2\r");

    assertThat(next(answers)).isEqualTo("hunter2");
    awaitScreen("05:13 #42 ben: interrupting\nlobby · @ben 1\n› ▏");
    virtual.type("\u001bOAnothing before\r");
    assertThat(next(answers)).isEqualTo("nothing before");
  }

  @Test
  void namesThatWouldCommandTheTerminalAreNotCompleted() throws Exception {
    editor();
    known.handles(List.of("be\u001b[2Jn", "ca\u202erl"));

    virtual.type("/add be\t\r");

    assertThat(next().strip()).isEqualTo("/add be");
  }

  @Test
  void aStatusIsCutToTheWidthAlsoAfterAResize() throws Exception {
    Editor editor = editor();
    virtual.type("half");
    editor.status("lobby · @ben 1 · @carl 12 · a room with a long name 3");
    awaitScreen("lobby · @ben 1 · @carl 12 · a room wit…\n› half▏");

    virtual.resize(30, 10);
    editor.status("lobby · @ben 2 · @carl 12 · a room with a long name 3");

    awaitScreen("lobby · @ben 2 · @carl 12 · …\n› half▏");
    editor.clearStatus();
    awaitScreen("› half▏");
  }

  @Test
  void controlCDropsTheLineAndThenEnds() throws Exception {
    editor();
    virtual.type("never said");
    awaitScreen("› never said▏");

    virtual.type("\u0003");
    awaitScreen("* Ctrl-C once more, or /quit, ends the c\nhat\n› ▏");

    virtual.type("\u0003");

    assertThat(next()).isEqualTo("(end)");
    awaitScreen("* Ctrl-C once more, or /quit, ends the c\nhat\n▏");
  }

  @Test
  void whoeverReadsHasReadAllWhenTheTerminalIsClosed() throws Exception {
    Editor editor = editor();
    virtual.type("half");
    awaitScreen("› half▏");

    editor.close();

    assertThat(next()).isEqualTo("(end)");
  }

  @Test
  void withoutColoursNothingIsColoured() throws Exception {
    Colours on = new Colours(true);
    Colours off = new Colours(false);
    for (String line :
        List.of(
            "05:13 #42 ✓ ben: hello",
            "05:13 #42 🔒 ✓✓ ben: hello",
            "05:13 #42 🔒 ben: hello",
            "05:13 #42 ⚠ not sealed: ben: hello",
            "⚠ ben has other keys",
            "✗ refused",
            "05:13 * ben joined",
            "—— Sunday ——")) {
      assertThat(on.line(line).toAnsi(virtual.terminal())).contains("\u001b[");
      assertThat(off.line(line).toAnsi(virtual.terminal())).isEqualTo(line);
    }
    assertThat(on.line("    05:13 #42 ben: what ann wrote").toAnsi(virtual.terminal()))
        .doesNotContain("\u001b");
  }
}
