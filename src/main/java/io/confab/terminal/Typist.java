package io.confab.terminal;

import io.confab.config.FileFault;
import io.confab.protocol.Secret;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

    /// Whether a recovery key is to be asked for. Blocks; on the thread of the input.
    boolean asksForKey();

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
    Optional<Input> whole = withSecrets(asked);
    if (whole.isPresent()) {
      hand(whole.get(), line);
    }
    return true;
  }

  private void hand(Input asked, String line) throws InterruptedException {
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
  }

  private void lost(Input asked, String line) {
    ended = true;
    if (!(asked instanceof Input.Nothing)) {
      screen.line("✗ not sent: " + Plain.line(line));
    }
  }

  /// Asks for what a command needs besides its words; empty: not all was typed as it must be.
  private Optional<Input> withSecrets(Input asked) {
    if (!(asked instanceof Input.Do(SlashCommand command, List<String> words))) {
      return Optional.of(asked);
    }
    try {
      return switch (command) {
        case PASSWORD -> askPasswords() ? Optional.of(asked) : Optional.empty();
        case REMOVE_ACCOUNT -> askRemoval() ? Optional.of(asked) : Optional.empty();
        case RECOVER -> words.isEmpty() && chat.asksForKey() ? askKey() : Optional.of(asked);
        default -> Optional.of(asked);
      };
    } catch (IOException given) {
      screen.line("✗ " + FileFault.text(given));
      return Optional.empty();
    }
  }

  private Optional<Input> askKey() throws IOException {
    String typed = keyboard.secret("Recovery key, or nothing: ");
    if (typed.isBlank()) {
      screen.line("* Nothing was recovered.");
      return Optional.empty();
    }
    return Optional.of(new Input.Recover(new Secret(typed)));
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
