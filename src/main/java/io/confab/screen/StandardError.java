package io.confab.screen;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Standard error as lines of a screen, until it is closed: what is logged is not written over what
/// is being typed. Stacks are left out, whose lines are indented. For any thread; nobody waits for
/// the screen.
public final class StandardError implements AutoCloseable {
  /// Bytes of a line that are shown.
  static final int LONGEST = 1_000;

  /// Lines that wait for the screen. Others are left out.
  private static final int MOST_WAITING = 100;

  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final String NAME = "standard-error";

  private final PrintStream before = System.err;
  private final Screen screen;
  private final ThreadPoolExecutor drawer =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MOST_WAITING),
          task -> Thread.ofPlatform().daemon().name(NAME).unstarted(task),
          new ThreadPoolExecutor.DiscardPolicy());

  private StandardError(Screen screen) {
    this.screen = screen;
  }

  public static StandardError on(Screen screen) {
    StandardError error = new StandardError(screen);
    System.setErr(new PrintStream(error.new Lines(), true, StandardCharsets.UTF_8));
    return error;
  }

  @Override
  public void close() {
    System.setErr(before);
    drawer.shutdown();
    try {
      boolean _ = drawer.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Lines extends OutputStream {
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /// What showing a line writes is not shown.
    @Override
    public synchronized void write(int character) {
      if (Thread.currentThread().getName().equals(NAME)) {
        return;
      }
      if (character == '\n') {
        show(line.toString(StandardCharsets.UTF_8).stripTrailing());
        line.reset();
      } else if (line.size() < LONGEST) {
        line.write(character);
      }
    }

    private void show(String text) {
      if (!text.isEmpty() && !Character.isWhitespace(text.charAt(0))) {
        drawer.execute(() -> screen.line("! " + Plain.line(text)));
      }
    }
  }
}
