package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.testing.OwnPostgres;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// The PostgreSQL and the Redis of a run: processes that it may kill, freeze and start again.
final class Servers implements AutoCloseable {
  private final OwnPostgres postgres;
  private final OwnRedis redis;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Servers(OwnPostgres postgres, OwnRedis redis) {
    this.postgres = postgres;
    this.redis = redis;
  }

  static Servers start() {
    return new Servers(new OwnPostgres("max_connections=200"), OwnRedis.start());
  }

  /// With PostgreSQL's files below a folder that may become full.
  static Servers startOn(Path folder) {
    return new Servers(
        OwnPostgres.in(folder, "max_connections=200", "max_wal_size=64MB"), OwnRedis.start());
  }

  public OwnPostgres postgres() {
    return postgres;
  }

  public OwnRedis redis() {
    return redis;
  }

  String redisUrl() {
    return redis.address();
  }

  String postgresUrl() {
    var url = postgres.url();
    return "postgresql://" + url.user() + "@127.0.0.1:" + url.port() + "/" + url.database();
  }

  /// All processes of PostgreSQL, the one that started the others first.
  List<ProcessHandle> postgresProcesses() {
    return ProcessHandle.of(postgres.pid())
        .map(server -> Stream.concat(Stream.of(server), server.descendants()).toList())
        .orElse(List.of());
  }

  /// The processes that serve a connection, by what they call themselves.
  List<ProcessHandle> backends() {
    return postgresProcesses().stream().skip(1).filter(Servers::servesTcp).toList();
  }

  /// Kills one of them, as soon as there is one.
  void killBackend(RandomGenerator random) {
    await("a node is connected to PostgreSQL").pollInSameThread().until(() -> killed(random));
  }

  private boolean killed(RandomGenerator random) {
    List<ProcessHandle> backends = backends();
    return !backends.isEmpty() && backends.get(random.nextInt(backends.size())).destroyForcibly();
  }

  /// Answers when PostgreSQL lets somebody in: not while it recovers.
  void awaitPostgres() {
    await("PostgreSQL is back")
        .ignoreExceptions()
        .until(
            () -> {
              try (var _ = TestDatabase.connect(postgres.url())) {
                return true;
              }
            });
  }

  private static boolean servesTcp(ProcessHandle process) {
    try {
      String title = Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
      return title.contains("127.0.0.1(");
    } catch (IOException ended) {
      return false;
    }
  }

  void signalPostgres(String signal) {
    List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
    postgresProcesses().forEach(process -> command.add(Long.toString(process.pid())));
    try {
      new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor(60, TimeUnit.SECONDS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// Runs one command of Redis and answers the first line of its answer.
  String redisCommand(String... command) {
    return RedisAsk.ask(redis, command);
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    signalPostgres("CONT");
    redis.close();
    postgres.close();
  }
}
