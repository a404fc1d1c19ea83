package io.confab.scenario;

import io.confab.cli.Confab;
import io.confab.cli.Program;
import io.confab.cli.Tty;
import io.confab.config.Config;
import io.confab.local.ClusterPlan;
import io.confab.operator.LocalCommands;
import io.confab.testing.Patience;
import io.confab.testing.VirtualTerminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The command line of one user in this JVM, with a configuration folder of its own.
public final class Terminal {
  private final Map<String, String> environment = new HashMap<>();

  /// @param folder where sign-ins and keys are kept
  /// @param servers as `--server` takes them
  public Terminal(Path folder, String servers) {
    environment.put("XDG_CONFIG_HOME", folder.toString());
    environment.put("XDG_DATA_HOME", folder.toString());
    environment.put("CONFAB_SERVER", servers);
    environment.put("CONFAB_PASSWORD", "correct horse");
  }

  public Terminal without(String variable) {
    environment.remove(variable);
    return this;
  }

  /// A keyboard and a screen.
  ///
  /// @param editable empty: the lines come whole, and the screen is a file
  private record Seat(Optional<org.jline.terminal.Terminal> editable) implements Tty {
    @Override
    public boolean in() {
      return true;
    }

    @Override
    public boolean out() {
      return editable.isPresent();
    }

    @Override
    public boolean err() {
      return false;
    }

    @Override
    public char[] password(String question) {
      throw new UnsupportedOperationException();
    }
  }

  /// How a command ended, and what it said.
  public record Result(int exit, String out, String err) {}

  /// Runs a command to its end, with piped input.
  public Result run(String input, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    var stdin = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
    int exit = execute(stdin, Tty.NONE, out, err, arguments);
    return new Result(exit, out.toString(), err.toString());
  }

  private int execute(
      InputStream stdin, Tty tty, StringWriter out, StringWriter err, String... arguments) {
    return new Confab(new NoProgram(), environment, stdin, tty)
        .execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }

  /// Runs a command that goes on until its input ends, which a person types line by line.
  public Open open(String... arguments) {
    return new Open(new Seat(Optional.empty()), arguments);
  }

  /// Runs a command in a terminal, until its keys end it.
  public Open openIn(VirtualTerminal seat, String... arguments) {
    return new Open(new Seat(Optional.of(seat.terminal())), arguments);
  }

  /// A command under way, and the keyboard to it.
  public final class Open {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final PipedOutputStream keyboard = new PipedOutputStream();
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    private Open(Tty seat, String... arguments) {
      try {
        PipedInputStream stdin = new PipedInputStream(keyboard, 1 << 16);
        Thread.ofPlatform()
            .daemon()
            .name("terminal")
            .start(() -> exit.complete(execute(stdin, seat, out, err, arguments)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    public void type(String line) {
      try {
        keyboard.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    public String out() {
      return out.toString();
    }

    public String err() {
      return err.toString();
    }

    /// The exit code, once the command has ended.
    public int exit() {
      return exit.orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    /// Ends the input and answers the exit code.
    public int end() {
      try {
        keyboard.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return exit();
    }
  }

  /// The commands of a client start nothing.
  private static final class NoProgram implements Program {
    @Override
    public long backup(Config config, Path file, Consumer<String> says) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void restore(Config config, Path file, Consumer<String> says) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void check(Config config) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void serve(Config config, Consumer<Serving> ready) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void cluster(Config config, ClusterPlan plan, Consumer<String> out) {
      throw new UnsupportedOperationException();
    }

    @Override
    public LocalCommands open(Config config) {
      throw new UnsupportedOperationException();
    }
  }
}
