package io.confab.terminal;

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
  private static final Input QUIT = new Input.Do(Command.QUIT, List.of());

  private final Keyboard keyboard;
  private final Screen screen;
  private final ChatQueue queue;
  private final Chat chat;
  private final Queue<NewPassword> newPasswords = new ConcurrentLinkedQueue<>();
  private final Thread thread = Thread.ofPlatform().daemon().name("input").unstarted(this::readAll);

  private volatile boolean ended;

  record NewPassword(Secret old, Secret fresh) {}

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

  /// What was typed for the command that runs.
  NewPassword newPassword() {
    return newPasswords.remove();
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
            screen.line("* the input broke: " + broken.getMessage());
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
    if (isPassword(asked) && !askPassword()) {
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

  private static boolean isPassword(Input asked) {
    return asked instanceof Input.Do(Command command, var _) && command == Command.PASSWORD;
  }

  /// Whether the passwords were typed as they must be.
  private boolean askPassword() {
    try {
      Secret old = new Secret(keyboard.secret("Password now: "));
      Secret fresh = new Secret(keyboard.secret("New password: "));
      if (new Secret(keyboard.secret("Again: ")).equals(fresh)) {
        newPasswords.add(new NewPassword(old, fresh));
        return true;
      }
      screen.line("✗ the two passwords differ");
    } catch (IOException given) {
      screen.line("✗ " + given.getMessage());
    }
    return false;
  }
}
