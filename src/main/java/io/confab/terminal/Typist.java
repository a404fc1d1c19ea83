package io.confab.terminal;

import io.confab.config.FileFault;
import io.confab.protocol.Secret;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Reads what a person types, on a thread of its own, and asks for passwords. Each line is handed
/// to the thread of the chat; one that this no longer takes is named, so that none is lost in
/// silence.
final class Typist {
  private static final Input QUIT = new Input.Do(SlashCommand.QUIT, List.of());

  private final Keyboard keyboard;
  private final Screen screen;
  private final ChatQueue queue;
  private final Chat chat;
  private final Queue<Secret> secrets = new ConcurrentLinkedQueue<>();
  private final Thread thread = Thread.ofPlatform().daemon().name("input").unstarted(this::readAll);

  private volatile boolean ended;

  /// What takes the lines, on its thread.
  interface Chat {
    /// @return whether it takes it
    boolean typed(Input asked);

    /// Ends it: the input is broken.
    void quit();
  }

  Typist(Keyboard keyboard, Screen screen, ChatQueue queue, Chat chat) {
    this.keyboard = keyboard;
    this.screen = screen;
    this.queue = queue;
    this.chat = chat;
  }

  void start() {
    thread.start();
  }

  /// Ends the reading and hands on what was read before.
  void end(Duration limit) throws InterruptedException {
    keyboard.ending();
    thread.interrupt();
    thread.join(limit);
    queue.runAll();
  }

  /// What was typed for the command that runs, each once.
  Secret secret() {
    return secrets.remove();
  }

  private void readAll() {
    try {
      boolean more = true;
      while (more) {
        String line = keyboard.read();
        more = line != null && take(line) && !ended;
      }
      queue.typed(() -> chat.typed(QUIT));
    } catch (IOException broken) {
      queue.add(
          () -> {
            screen.line("* the input broke: " + FileFault.text(broken));
            chat.quit();
          });
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Whether another line may follow.
  private boolean take(String line) throws InterruptedException {
    Input asked = Input.parse(line);
    if (asked.equals(QUIT)) {
      return false;
    }
    if (!askSecrets(asked)) {
      return true;
    }
    try {
      queue.typed(
          () -> {
            if (!chat.typed(asked)) {
              lost(asked, line);
            }
          });
    } catch (InterruptedException ended) {
      lost(asked, line);
      throw ended;
    }
    return true;
  }

  private void lost(Input asked, String line) {
    ended = true;
    if (!(asked instanceof Input.Nothing)) {
      screen.line("✗ not sent: " + Plain.line(line));
    }
  }

  /// Asks for what a command needs besides its words. Whether all was typed as it must be.
  private boolean askSecrets(Input asked) {
    if (!(asked instanceof Input.Do(SlashCommand command, var _))) {
      return true;
    }
    try {
      return command == SlashCommand.PASSWORD
          ? askPasswords()
          : command != SlashCommand.REMOVE_ACCOUNT || askRemoval();
    } catch (IOException given) {
      screen.line("✗ " + FileFault.text(given));
      return false;
    }
  }

  private boolean askPasswords() throws IOException {
    Secret old = new Secret(keyboard.secret("Password now: "));
    Secret fresh = new Secret(keyboard.secret("New password: "));
    if (!new Secret(keyboard.secret("Again: ")).equals(fresh)) {
      screen.line("✗ the two passwords differ");
      return false;
    }
    secrets.add(old);
    secrets.add(fresh);
    return true;
  }

  private boolean askRemoval() throws IOException {
    screen.line("* This removes your account for good; nobody can bring it back.");
    String typed = keyboard.secret("Password, or nothing to keep it: ");
    if (typed.isEmpty()) {
      screen.line("* Your account stays.");
      return false;
    }
    secrets.add(new Secret(typed));
    return true;
  }
}
