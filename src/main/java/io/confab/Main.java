package io.confab;

import io.confab.cli.Confab;
import io.confab.cli.LocalCommands;
import io.confab.cli.Program;
import io.confab.config.Config;

/// The command line's way in; what its commands start is wired here.
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    var confab = new Confab(new Wiring(), System.getenv(), System.in, System.console());
    System.exit(confab.commandLine().execute(arguments));
  }

  /// The node, and the data without a node.
  private static final class Wiring implements Program {
    @Override
    public void serve(Config config) {
      throw new UnsupportedOperationException("no node is wired");
    }

    @Override
    public LocalCommands open(Config config) {
      throw new UnsupportedOperationException("no data are wired");
    }
  }
}
