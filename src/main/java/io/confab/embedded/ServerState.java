package io.confab.embedded;

/// The state of an embedded server, for health: its phase and the last line that it printed.
public record ServerState(Phase phase, String lastLine) {

  /// The life of a server: it may go from RUNNING to RESTARTING and back any number of times.
  public enum Phase {
    STARTING,
    RUNNING,
    RESTARTING,
    STOPPED
  }

  public boolean running() {
    return phase == Phase.RUNNING;
  }
}
