package io.confab.embedded;

/// A server on loopback that this JVM started and keeps running, on the same port, until it is
/// closed.
///
/// @param <U> the form of its address
public final class EmbeddedServer<U> implements AutoCloseable {
  private final U url;
  private final Supervisor supervisor;

  private EmbeddedServer(U url, Supervisor supervisor) {
    this.url = url;
    this.supervisor = supervisor;
  }

  /// Answers when the server takes logins.
  ///
  /// @param log the name of its log
  /// @throws EmbeddedServerException when it cannot be started
  static <U> EmbeddedServer<U> start(Supervisor.Server server, U url, DataDir dataDir, String log) {
    return begin(server, url, dataDir, log).awaitStart();
  }

  /// The same without waiting: [#awaitStart()].
  static <U> EmbeddedServer<U> begin(Supervisor.Server server, U url, DataDir dataDir, String log) {
    LogFile file = new LogFile(dataDir.folder("logs").resolve(log));
    return new EmbeddedServer<>(url, Supervisor.begin(server, file));
  }

  /// Answers itself when it takes logins; one that does not is closed.
  ///
  /// @throws EmbeddedServerException when it cannot be started
  public EmbeddedServer<U> awaitStart() {
    supervisor.awaitStart();
    return this;
  }

  /// The address of the server, with the password.
  public U url() {
    return url;
  }

  public ServerState state() {
    return supervisor.state();
  }

  Supervisor supervisor() {
    return supervisor;
  }

  /// Stops the server in good order.
  @Override
  public void close() {
    supervisor.close();
  }
}
