package io.confab.testing;

import io.confab.redis.RedisUrl;

/// A Redis server of a test's own that it may kill, freeze and start again.
public final class OwnRedis implements AutoCloseable {
  private final RedisProcess process;

  private OwnRedis(RedisProcess process) {
    this.process = process;
  }

  public static OwnRedis start() {
    return new OwnRedis(RedisProcess.server(Ports.freeRun(1)));
  }

  public RedisUrl url() {
    return RedisUrl.parse(address());
  }

  public int port() {
    return process.port();
  }

  /// Of the process that runs now.
  public long pid() {
    return process.pid();
  }

  public String password() {
    return RedisProcess.PASSWORD;
  }

  /// The URL as a configuration holds it.
  public String address() {
    return "redis://:" + RedisProcess.ENCODED_PASSWORD + "@127.0.0.1:" + process.port();
  }

  /// The same for a node that may only work, with the password of who loads its scripts.
  public RedisUrl urlOfTwoUsers(String scriptPassword) {
    return RedisUrl.parse(
        "redis://%s:%s@127.0.0.1:%d?script_user=%s&script_password=%s"
            .formatted(
                RedisProcess.WORKER,
                RedisProcess.ENCODED_PASSWORD,
                process.port(),
                RedisProcess.LOADER,
                scriptPassword));
  }

  /// Starts the server, empty, and waits until it answers.
  public void startAgain() {
    process.startAgain();
  }

  /// As `kill -9`.
  public void kill() {
    process.kill();
  }

  /// Stops the process in its tracks: its sockets stay open and are silent.
  public void freeze() {
    process.freeze();
  }

  public void thaw() {
    process.thaw();
  }

  @Override
  public void close() {
    process.close();
  }
}
