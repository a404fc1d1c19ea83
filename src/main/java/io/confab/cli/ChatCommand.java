package io.confab.cli;

import io.confab.screen.PlainScreen;
import io.confab.screen.Screen;
import io.confab.screen.StandardError;
import io.confab.terminal.Chat;
import io.confab.terminal.Editor;
import io.confab.terminal.Keyboard;
import io.confab.terminal.Known;
import io.confab.terminal.Pipe;
import io.confab.terminal.RoomFinder;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `chat`: one room in the terminal.
@Command(
    description = {
      "Chat in a room: the last 20 messages, then live. What is typed is sent; /help lists what"
          + " else can be typed.",
      "",
      "Lines that are piped in are sent one after the other, without the socket of a window; the"
          + " command ends when all are stored, with 1 if one was not, and is silent otherwise.",
      "",
      "Sealed rooms are beta: audited by nobody, and not post-quantum. Their keys and lines are"
          + " kept in confab/sealed below XDG_DATA_HOME or ~/.local/share. A terminal cannot take"
          + " back what it has shown, also when the lifetime of a line is over.",
      ""
    })
final class ChatCommand implements Callable<Integer> {
  private final Typed typed;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final Login login;

  @Option(
      names = "--room",
      required = true,
      paramLabel = "ROOM",
      description = "Name or id of a room, or @handle; a channel is joined.")
  private String room = "";

  @Option(names = "--create", description = "Make a channel when there is no room of this name.")
  private boolean create;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description =
          "How long to wait for what is not stored yet: at the end, and for each line that is"
              + " piped in (default: ${DEFAULT-VALUE}).")
  private int wait = 60;

  @Option(
      names = "--plain",
      description = "Lines as they come, without line editor, status and colours.")
  private boolean plain;

  @Option(names = "--no-color", description = "No colours; the variable NO_COLOR does the same.")
  private boolean noColour;

  ChatCommand(Login login, Typed typed, Map<String, String> environment) {
    this.login = login;
    this.environment = environment;
    this.typed = typed;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    return (typed.tty().in() ? window() : pipe()) ? 0 : 1;
  }

  private boolean pipe() throws IOException, InterruptedException {
    try (SignedIn me = login.open()) {
      createIfAsked(me);
      return new Pipe(me.api(), me.credentials().accountId(), paper(), typed.lines(), patience())
          .run(room);
    }
  }

  private boolean window() throws IOException, InterruptedException {
    try (SignedIn me = login.openWindow()) {
      createIfAsked(me);
      Optional<Terminal> terminal = plain ? Optional.empty() : typed.tty().editable();
      Known known = new Known();
      if (terminal.isEmpty()) {
        return chat(me, paper(), Keyboard.of(typed.lines()), known);
      }
      try (Editor editor = new Editor(terminal.get(), known, colours());
          @Nullable StandardError _ = typed.tty().err() ? StandardError.on(editor) : null) {
        return chat(me, editor, editor, known);
      }
    }
  }

  private boolean chat(SignedIn me, Screen screen, Keyboard keyboard, Known known)
      throws IOException, InterruptedException {
    return new Chat(me.self(), screen, keyboard, patience(), known).run(room);
  }

  /// Nothing on it is ever written over.
  private Screen paper() {
    return new PlainScreen(spec.commandLine().getOut(), false);
  }

  private Duration patience() {
    return Duration.ofSeconds(wait);
  }

  /// See no-color.org.
  private boolean colours() {
    return !noColour && environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  private void createIfAsked(SignedIn me) throws IOException {
    if (create) {
      new RoomFinder(me.api()).enterOrMake(room);
    }
  }
}
