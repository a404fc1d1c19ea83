package io.confab.cli;

import io.confab.config.Config;
import io.confab.local.ClusterPlan;
import io.confab.operator.LocalCommands;
import io.confab.operator.PastStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Consumer;

/// What the command line starts; implemented by `Main`.
public interface Program {

  /// A node that serves.
  ///
  /// @param address of its API
  /// @param past for the making of the demo world
  record Serving(URI address, PastStore past) {}

  /// Judges a configuration that could be read as the start of a node does, and starts nothing.
  ///
  /// @throws io.confab.config.InvalidConfigException when a node would not start with it
  void check(Config config);

  /// Runs a node; returns when it has stopped.
  ///
  /// @param ready receives the node once, on a thread that is interrupted when the node stops
  void serve(Config config, Consumer<Serving> ready) throws IOException;

  /// Runs several nodes on this machine; returns when all have stopped.
  ///
  /// @param config of the folder and the servers that they share
  /// @param out receives a line for each step
  void cluster(Config config, ClusterPlan plan, Consumer<String> out) throws IOException;

  /// Opens the data without a node: locks the data folder, starts the embedded servers unless the
  /// configuration names external ones, and migrates.
  LocalCommands open(Config config) throws IOException;

  /// Copies the data to a file, whether nodes run or not; answers its size.
  ///
  /// @param says receives a line now and then
  long backup(Config config, Path file, Consumer<String> says) throws IOException;

  /// Makes the data folder out of what [#backup] wrote.
  ///
  /// @param says receives a line for each step
  void restore(Config config, Path file, Consumer<String> says) throws IOException;
}
