package io.confab.cli;

import io.confab.screen.Screen;
import io.confab.terminal.Chat;
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
      "Lines that are piped in are sent one after the other; the command ends when all are"
          + " acknowledged, with 1 if one failed for good.",
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

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description =
          "How long to wait for what is not acknowledged yet: at the end, and while a hundred of"
              + " the lines that are piped in wait for it (default: ${DEFAULT-VALUE}).")
  private int wait = 60;

  ChatCommand(Login login, Typed typed) {
    this.login = login;
    this.typed = typed;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (SignedIn me = login.open()) {
      var screen = new Screen(spec.commandLine().getOut(), typed.isTerminal());
      Chat chat =
          new Chat(
              me.api(),
              me.credentials().accountId(),
              screen,
              typed.lines(),
              Duration.ofSeconds(wait));
      return chat.run(room) ? 0 : 1;
    }
  }
}
