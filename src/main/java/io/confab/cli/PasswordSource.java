package io.confab.cli;

import io.confab.protocol.Secret;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Reads the password for `account`: asks twice on the terminal, or takes the first line of
/// standard input. A password is never an argument, which other users of the machine could see.
final class PasswordSource {
  private final Typed typed;

  @CommandLine.Option(
      names = "--password-stdin",
      description = "Read the password from standard input instead of asking for it.")
  private boolean fromStdin;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  PasswordSource(Typed typed) {
    this.typed = typed;
  }

  Secret read() throws IOException {
    if (fromStdin) {
      return typed.passwordLine(spec);
    }
    Secret first = typed.password(spec, "Password: ");
    if (!typed.password(spec, "Again: ").equals(first)) {
      throw Typed.misuse(spec, "the two passwords differ");
    }
    return first;
  }
}
