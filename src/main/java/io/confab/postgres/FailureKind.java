package io.confab.postgres;

import io.vertx.pgclient.PgException;
import java.util.Set;

/// What a failed call says about its transaction, by SQLSTATE (PostgreSQL, appendix A).
public enum FailureKind {
  /// The connection is gone or going, or nobody answered: the outcome is unknown.
  LOST,
  /// Rolled back, and the same call may succeed later: a time-out, a lock, no memory.
  BUSY,
  /// Rolled back, as the server's disk is full or fails: somebody has to look after it.
  STORAGE,
  /// Rolled back, and it would fail again: something about the call is wrong.
  FAULT;

  private static final String UNKNOWN_COMPLETION = "40003";
  private static final String DISK_FULL = "53100";
  private static final String SYSTEM_ERRORS = "58";
  private static final Set<String> ENDING = Set.of("FATAL", "PANIC");
  private static final Set<String> BUSY_STATES = Set.of("57014", "55P03", "25006");
  private static final Set<String> BUSY_CLASSES = Set.of("40", "53");

  public static FailureKind of(Throwable failure) {
    if (!(failure instanceof PgException error)) {
      return LOST;
    }
    String state = String.valueOf(error.getSqlState());
    if (ENDING.contains(String.valueOf(error.getSeverity()))
        || state.startsWith("08")
        || state.startsWith("57P")
        || state.equals(UNKNOWN_COMPLETION)) {
      // A backend that is ended may say so after its commit.
      return LOST;
    }
    if (state.equals(DISK_FULL) || state.startsWith(SYSTEM_ERRORS)) {
      return STORAGE;
    }
    boolean busy =
        BUSY_STATES.contains(state)
            || BUSY_CLASSES.contains(state.substring(0, Math.min(2, state.length())));
    return busy ? BUSY : FAULT;
  }

  /// The SQLSTATE of a failure, if it has one.
  public static String state(Throwable failure) {
    return failure instanceof PgException error ? String.valueOf(error.getSqlState()) : "none";
  }

  /// Whether it took longer than statements may.
  public static boolean tookTooLong(Throwable failure) {
    return failure instanceof PgException error && "57014".equals(error.getSqlState());
  }

  /// Whether a lock was waited for too long.
  public static boolean isLocked(Throwable failure) {
    return failure instanceof PgException error && "55P03".equals(error.getSqlState());
  }
}
