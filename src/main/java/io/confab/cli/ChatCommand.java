package io.confab.cli;

import io.confab.protocol.AccountId;
import io.confab.screen.Screen;
import io.confab.terminal.Chat;
import io.confab.terminal.Pipe;
import io.confab.terminal.RoomFinder;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `chat`: one room in the terminal.
@Command(
    name = "chat",
    description = {
      "Chat in a room: the last 20 messages, then live. What is typed is sent; /help lists what"
          + " else can be typed.",
      "",
      "Lines that are piped in are sent one after the other, without the socket of a window; the"
          + " command ends when all are stored, with 1 if one was not, and is silent otherwise.",
      ""
    })
final class ChatCommand implements Callable<Integer> {
  private final Typed typed;

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

  ChatCommand(Login login, Typed typed) {
    this.login = login;
    this.typed = typed;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var screen = new Screen(spec.commandLine().getOut(), typed.isTerminal());
    Duration patience = Duration.ofSeconds(wait);
    boolean whole;
    if (typed.tty().in()) {
      try (SignedIn me = login.openWindow()) {
        createIfAsked(me);
        AccountId self = me.credentials().accountId();
        whole = new Chat(me.api(), self, screen, typed.lines(), patience).run(room);
      }
    } else {
      try (SignedIn me = login.open()) {
        createIfAsked(me);
        AccountId self = me.credentials().accountId();
        whole = new Pipe(me.api(), self, screen, typed.lines(), patience).run(room);
      }
    }
    return whole ? 0 : 1;
  }

  private void createIfAsked(SignedIn me) throws IOException {
    if (create) {
      new RoomFinder(me.api()).enterOrMake(room);
    }
  }
}
