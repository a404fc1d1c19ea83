package io.confab.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps one server running while this JVM lives. A server that died is started again after 100 ms,
/// and after twice as long each further time, up to 5 s.
public final class Supervisor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration STEADY = Duration.ofSeconds(30);
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(25);
  private static final int FIRST_TRIES = 6;

  /// A server that is supervised.
  public interface Server {
    String name();

    /// Makes everything ready for a start; waits until processes of an earlier one are gone.
    ServerProcess.Launch prepare() throws IOException, InterruptedException;

    /// Whether it takes logins now.
    ///
    /// @throws EmbeddedServerException when it never will
    boolean answers();
  }

  private final Server server;
  private final LogFile log;
  private final CompletableFuture<Void> firstAnswer = new CompletableFuture<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile ServerState.Phase phase = ServerState.Phase.STARTING;
  private volatile @Nullable ServerProcess current;

  private Supervisor(Server server, LogFile log) {
    this.server = server;
    this.log = log;
    this.thread = Thread.ofPlatform().daemon().name(server.name()).unstarted(this::run);
  }

  /// Answers once the server takes logins; fails as [#awaitStart()].
  public static Supervisor start(Server server, LogFile log) {
    Supervisor supervisor = begin(server, log);
    supervisor.awaitStart();
    return supervisor;
  }

  /// Answers at once.
  static Supervisor begin(Server server, LogFile log) {
    Supervisor supervisor = new Supervisor(server, log);
    supervisor.thread.start();
    return supervisor;
  }

  /// Blocks until the server takes logins; one that does not is closed.
  ///
  /// @throws EmbeddedServerException when it died six times or took two more minutes
  void awaitStart() {
    try {
      firstAnswer.get(START_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      close();
      throw failed(e);
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw failed(e);
    }
  }

  private EmbeddedServerException failed(Exception e) {
    return e.getCause() instanceof EmbeddedServerException known
        ? known
        : new EmbeddedServerException(
            server.name() + " does not start. Its last words:\n" + log.tail(), e);
  }

  ServerState state() {
    return new ServerState(phase, log.lastLine());
  }

  /// The running server, whose processes others look at.
  public Optional<ServerProcess> process() {
    return Optional.ofNullable(current);
  }

  private void run() {
    Duration pause = FIRST_PAUSE;
    int deaths = 0;
    try {
      while (!isClosing()) {
        long started = System.nanoTime();
        String death = runOnce();
        if (isClosing()) {
          break;
        }
        deaths++;
        if (!firstAnswer.isDone() && deaths == FIRST_TRIES) {
          firstAnswer.completeExceptionally(new IOException(death));
          break;
        }
        if (System.nanoTime() - started > STEADY.toNanos()) {
          pause = FIRST_PAUSE;
        }
        LOG.warn("{} {}; starting it again in {} ms", server.name(), death, pause.toMillis());
        if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          break;
        }
        pause = longer(pause);
      }
    } catch (InterruptedException | RuntimeException e) {
      if (!firstAnswer.completeExceptionally(e)) {
        LOG.error("{} is no longer looked after", server.name(), e);
      }
    } finally {
      phase = ServerState.Phase.STOPPED;
    }
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  /// Runs the server from start to end, and answers how it ended.
  private String runOnce() throws InterruptedException {
    try {
      ServerProcess process = ServerProcess.start(server.name(), server.prepare(), log);
      current = process;
      try {
        awaitAnswer(process);
        return "ended with code " + process.awaitEnd() + " (" + log.lastLine() + ")";
      } finally {
        current = null;
        process.stop();
        if (!isClosing()) {
          phase = firstAnswer.isDone() ? ServerState.Phase.RESTARTING : ServerState.Phase.STARTING;
        }
      }
    } catch (IOException e) {
      return "cannot be started: " + e;
    }
  }

  private void awaitAnswer(ServerProcess process) throws InterruptedException {
    while (process.isAlive() && !isClosing()) {
      if (server.answers()) {
        process.answered();
        phase = ServerState.Phase.RUNNING;
        LOG.info("{} is running (process {})", server.name(), process.pid());
        firstAnswer.complete(null);
        return;
      }
      closing.await(POLL.toMillis(), TimeUnit.MILLISECONDS);
    }
    if (isClosing()) {
      process.stop();
    }
  }

  /// Stops the server in good order within 25 s, else kills it.
  @Override
  public void close() {
    closing.countDown();
    ServerProcess process = current;
    try {
      if (process != null) {
        process.stop();
      }
      if (!thread.join(STOP_LIMIT) && process != null) {
        LOG.warn("{} did not stop in time and is killed", server.name());
        process.kill();
        thread.join(STOP_LIMIT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
