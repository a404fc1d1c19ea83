package io.confab.bench;

/// A contestant that can be started again on what it had stored.
interface Startable extends Contestant {
  void stop();

  void start();

  /// A request whose answer shows that it serves.
  void ask();
}
