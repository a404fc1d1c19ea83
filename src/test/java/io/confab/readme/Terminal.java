package io.confab.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/// A terminal with a bash in it, into which lines are pasted as people do. It is a pseudo-terminal
/// of `script`, a dumb one, without echo, whose prompt is a bell, one for each line of a paste.
/// Ctrl-C works in it also where the tests run in the background, which begins programs that
/// ignore it.
final class Terminal implements AutoCloseable {
  /// The longest thing to wait for is a build with an empty Maven repository.
  private static final Duration LIMIT = Duration.ofMinutes(15);

  private static final Duration STOP_LIMIT = Duration.ofMinutes(2);
  private static final String INTERRUPT = "\u0003";
  private static final String PROMPT = "\u0007";
  private static final String END = "the block ended with ";

  /// What a terminal does not keep: a line that is erased, orders to the cursor, colours.
  private static final Pattern ERASED = Pattern.compile("[^\n]*\u001b\\[2K");

  private static final Pattern ORDER = Pattern.compile("\u001b\\[[0-9;?]*[A-Za-z]|\r|" + PROMPT);

  /// What a JVM with JDK_JAVA_OPTIONS prints, and what npm says of the machine's configuration.
  private static final Pattern OF_THE_MACHINE = Pattern.compile("NOTE: Picked up .*|npm warn .*");

  private final Process process;
  private final OutputStream keys;

  @SuppressWarnings("JdkObsolete") // written by one thread, read by others
  private final StringBuffer screen = new StringBuffer();

  private volatile int mark;

  /// How many lines were pasted at the mark.
  private int pasted;

  /// @param variables of its environment besides those of the tests
  Terminal(Path folder, Map<String, String> variables) {
    String shell =
        "stty -echo; exec env --default-signal PS1=\"$PROMPT\" PS2=\"$PROMPT\""
            + " bash --norc --noprofile --noediting -i";
    var builder = new ProcessBuilder("script", "-qfec", shell, "/dev/null");
    builder.directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("CONFAB_"));
    builder.environment().putAll(Map.of("TERM", "dumb", "PROMPT", PROMPT));
    builder.environment().putAll(variables);
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    keys = process.getOutputStream();
    Thread.ofVirtual().start(this::read);
    waitUntil(() -> prompts() > 0, "the prompt");
  }

  private void read() {
    char[] chars = new char[8192];
    try (Reader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (int n = output.read(chars); n >= 0; n = output.read(chars)) {
        screen.append(chars, 0, n);
      }
    } catch (IOException ended) {
      screen.append('\n').append(ended.getMessage()).append('\n');
    }
  }

  /// Pastes lines that start a program which stays; what ran until now is stopped by Ctrl-C.
  void start(List<String> lines) {
    interrupt();
    paste(lines);
  }

  /// Pastes lines and waits until all have ended, the last one with 0.
  List<String> run(List<String> lines) {
    paste(lines);
    // Asked only then: a program of the block may read what is typed.
    waitUntil(() -> prompts() >= pasted, "the block ends");
    write("echo \"" + END + "$?\"\n");
    waitUntil(() -> output().stream().anyMatch(line -> line.startsWith(END)), "its exit code");
    List<String> output = output();
    assertThat(output.getLast()).as("%s", screen).isEqualTo(END + "0");
    return output.subList(0, output.size() - 1);
  }

  private void paste(List<String> lines) {
    mark = screen.length();
    pasted = prompts() + lines.size();
    write(String.join("\n", lines) + "\n");
  }

  /// Types lines into the program that runs, once it has said something, and waits until it
  /// shows each once more than before, as what nobody has read yet.
  void type(List<String> lines) {
    waitUntilOrEnded(output -> !output.isEmpty(), "something is printed");
    for (String line : lines) {
      long before = said(output(), line);
      write(line + "\n");
      waitUntilOrEnded(output -> said(output, line) > before, line);
    }
  }

  private static long said(List<String> output, String line) {
    return output.stream().filter(shown -> shown.endsWith(": " + line)).count();
  }

  /// Waits until the program that runs shows what it must.
  void waitFor(Shown shown) {
    waitUntilOrEnded(shown::isIn, shown.toString());
  }

  /// Fails at once when the program has ended without what is waited for.
  private void waitUntilOrEnded(Predicate<List<String>> condition, String what) {
    waitUntil(() -> prompts() >= pasted || condition.test(output()), what);
    assertThat(condition.test(output()))
        .as("the program ended before:\n%s\nand printed:\n%s", what, screen)
        .isTrue();
  }

  private int prompts() {
    return (int) screen.chars().filter(each -> each == PROMPT.charAt(0)).count();
  }

  /// The complete lines since the last paste.
  private List<String> output() {
    String text = screen.substring(Math.min(mark, screen.length()));
    String kept = ORDER.matcher(ERASED.matcher(text).replaceAll("")).replaceAll("");
    return kept.substring(0, kept.lastIndexOf('\n') + 1)
        .lines()
        .filter(line -> !OF_THE_MACHINE.matcher(line).matches())
        .toList();
  }

  private void waitUntil(Callable<Boolean> condition, String what) {
    try {
      await().atMost(LIMIT).until(condition);
    } catch (ConditionTimeoutException late) {
      throw new AssertionError("waited for:\n%s\nbut saw:\n%s".formatted(what, screen), late);
    }
  }

  private void interrupt() {
    if (programs().findAny().isPresent()) {
      int before = prompts();
      write(INTERRUPT);
      await().atMost(STOP_LIMIT).until(() -> programs().findAny().isEmpty() && prompts() > before);
    }
  }

  /// All processes below the shell.
  private Stream<ProcessHandle> programs() {
    return process.children().flatMap(ProcessHandle::descendants);
  }

  private void write(String text) {
    try {
      keys.write(text.getBytes(StandardCharsets.UTF_8));
      keys.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Stops what runs by Ctrl-C, and ends the shell.
  @Override
  public void close() {
    List<ProcessHandle> all = process.descendants().toList();
    try {
      interrupt();
      keys.close();
      process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      all.forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
