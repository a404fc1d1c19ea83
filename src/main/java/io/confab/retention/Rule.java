package io.confab.retention;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;

/// One thing that is removed when it is over, and how.
///
/// @param committed runs after the commit of each portion
public record Rule(Swept what, Portion portion, Runnable committed) {
  public Rule(Swept what, Portion portion) {
    this(what, portion, () -> {});
  }

  /// Removes some of it. It does not wait for rows that others hold: they are left for another
  /// time.
  @FunctionalInterface
  public interface Portion {
    /// Answers how many rows it removed; fewer than `most` where no more are there.
    Future<Integer> remove(SqlClient transaction, int most);
  }
}
