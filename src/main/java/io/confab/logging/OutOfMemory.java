package io.confab.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.EventArgUtil;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/// Ends the process when a line for a log, at any level, says that memory ran out. The JVM itself
/// (`-XX:+ExitOnOutOfMemoryError`) ends for its heap alone; when direct memory has run out, every
/// later request for some fails, those of connections to PostgreSQL and Redis too. For any thread.
public final class OutOfMemory extends TurboFilter {
  /// That of `-XX:+ExitOnOutOfMemoryError`.
  static final int EXIT = 3;

  private static final int DEEPEST_CAUSE = 20;

  /// How long standard error may take for the line.
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final IntConsumer end;
  private final AtomicBoolean told = new AtomicBoolean();
  private final CountDownLatch noticed = new CountDownLatch(1);
  private final CountDownLatch written = new CountDownLatch(1);

  /// @param end of the process, by its exit code
  OutOfMemory(IntConsumer end) {
    this.end = end;
  }

  /// From now on this process ends so; nothing of it is stopped in order, as nothing can rely on
  /// memory. It is told also what ends a thread.
  public static void endsTheProcess() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    OutOfMemory filter = new OutOfMemory(Runtime.getRuntime()::halt);
    filter.watch();
    context.addTurboFilter(filter);
    Logger log = context.getLogger(OutOfMemory.class);
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, fault) -> log.error("Thread {} ended", thread.getName(), fault));
  }

  /// Ends the process also where nobody reads its standard error, by a thread that is there before
  /// memory runs out.
  void watch() {
    Thread.ofPlatform().daemon().name("out-of-memory").start(this::endUnlessWritten);
  }

  private void endUnlessWritten() {
    try {
      noticed.await();
      if (!written.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        end.accept(EXIT);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // nobody does that
    }
  }

  @Override
  public FilterReply decide(
      Marker marker,
      Logger logger,
      Level level,
      String format,
      Object @Nullable [] arguments,
      @Nullable Throwable thrown) {
    OutOfMemoryError fault = in(thrown != null ? thrown : EventArgUtil.extractThrowable(arguments));
    if (fault != null) {
      noticed.countDown();
      try {
        tell(logger.getLoggerContext(), fault);
      } finally {
        written.countDown();
        end.accept(EXIT);
      }
    }
    return FilterReply.NEUTRAL;
  }

  /// Several threads run out of it at once.
  private void tell(LoggerContext context, OutOfMemoryError fault) {
    if (!told.getAndSet(true)) {
      context
          .getLogger(OutOfMemory.class)
          .error("Out of memory, the node ends ({}). {}", fault.getMessage(), advice(fault));
    }
  }

  /// By the texts of the JVM and of Netty: nothing else tells the kinds apart.
  private static String advice(OutOfMemoryError fault) {
    String text = String.valueOf(fault.getMessage());
    if (text.contains("native thread")) {
      return "The system allows it no more threads (ulimit -u, or pids of its container)";
    }
    return "JDK_JAVA_OPTIONS gives it more: "
        + (text.contains("direct")
            ? "-XX:MaxDirectMemorySize=… or, for both kinds, -Xmx…"
            : text.contains("Metaspace")
                ? "-XX:MaxMetaspaceSize=…"
                : text.contains("class space") ? "-XX:CompressedClassSpaceSize=…" : "-Xmx…");
  }

  private static @Nullable OutOfMemoryError in(@Nullable Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; cause != null && i < DEEPEST_CAUSE; i++) {
      if (cause instanceof OutOfMemoryError fault) {
        return fault;
      }
      cause = cause.getCause();
    }
    return null;
  }
}
