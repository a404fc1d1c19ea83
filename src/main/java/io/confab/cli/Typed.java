package io.confab.cli;

import io.confab.config.FileFault;
import io.confab.protocol.Secret;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// Standard input, typed by a person or written by a program. All readers share it.
final class Typed {
  private final BufferedReader lines;
  private final Tty tty;

  Typed(InputStream stdin, Tty tty) {
    this.lines = new Lines(stdin);
    this.tty = tty;
  }

  /// Says of a failure what failed: the system names a closed file and no more.
  private static final class Lines extends BufferedReader {
    Lines(InputStream stdin) {
      super(new InputStreamReader(stdin, StandardCharsets.UTF_8));
    }

    @Override
    public @Nullable String readLine() throws IOException {
      try {
        return super.readLine();
      } catch (IOException failure) {
        throw new IOException(
            "standard input cannot be read: " + FileFault.reason(failure), failure);
      }
    }
  }

  BufferedReader lines() {
    return lines;
  }

  Tty tty() {
    return tty;
  }

  /// Whether a person reads the output and types the input.
  boolean isTerminal() {
    return tty.in() && tty.out();
  }

  /// The next line of standard input.
  ///
  /// @param spec the command whose misuse is reported when there is no line
  Secret passwordLine(CommandSpec spec) throws IOException {
    return new Secret(
        Optional.ofNullable(lines.readLine())
            .orElseThrow(() -> misuse(spec, "there is no password on standard input")));
  }

  /// Asks for a password without echo.
  Secret password(CommandSpec spec, String question) {
    if (!isTerminal()) {
      throw misuse(spec, "there is no terminal to ask for the password: use --password-stdin");
    }
    return new Secret(new String(tty.password(question)));
  }

  static ParameterException misuse(CommandSpec spec, String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
