package io.confab.cli;

import io.confab.config.Secret;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Where `account` takes a password from: the terminal, asked twice, or the first line of standard
/// input; never an argument, which other users of the machine could see.
final class PasswordSource {
  private final InputStream stdin;
  private final @Nullable Console console;

  @CommandLine.Option(
      names = "--password-stdin",
      description = "Read the password from standard input instead of asking for it.")
  private boolean fromStdin;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  PasswordSource(InputStream stdin, @Nullable Console console) {
    this.stdin = stdin;
    this.console = console;
  }

  Secret read() throws IOException {
    return new Secret(fromStdin ? firstLine() : ask());
  }

  private String firstLine() throws IOException {
    var reader = new BufferedReader(new InputStreamReader(stdin, StandardCharsets.UTF_8));
    return Optional.ofNullable(reader.readLine())
        .orElseThrow(() -> misuse("there is no password on standard input"));
  }

  private String ask() {
    if (console == null || !console.isTerminal()) {
      throw misuse("there is no terminal to ask for the password: use --password-stdin");
    }
    char[] first = answer(console, "Password: ");
    char[] second = answer(console, "Again: ");
    if (!Arrays.equals(first, second)) {
      throw misuse("the two passwords differ");
    }
    return new String(first);
  }

  private static char[] answer(Console console, String question) {
    return Optional.ofNullable(console.readPassword(question)).orElse(new char[0]);
  }

  private ParameterException misuse(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
