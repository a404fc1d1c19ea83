package io.confab.cli;

import io.confab.config.Config;
import java.io.IOException;

/// What the command line starts; `Main` says what that is.
public interface Program {

  /// Runs a node; returns when it has stopped.
  void serve(Config config) throws IOException;

  /// Opens the data without a node: takes the lock of the data folder, starts the embedded servers
  /// for the moment unless external ones are named, and migrates.
  LocalCommands open(Config config) throws IOException;
}
