package io.confab.feed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells many the same: what one of them throws is logged and keeps it from none of the others.
public final class Guarded {
  private static final Logger LOG = LoggerFactory.getLogger(Guarded.class);

  private Guarded() {}

  /// Answers those that threw.
  public static <T> List<T> each(Collection<T> all, Consumer<T> action) {
    List<T> failed = new ArrayList<>();
    for (T one : all) {
      try {
        action.accept(one);
      } catch (Throwable fault) { // an OutOfMemoryError of direct buffers among them
        LOG.error("One of {} failed", all.size(), fault);
        failed.add(one);
      }
    }
    return failed;
  }
}
