package io.confab.feed;

import java.util.TreeSet;

/// The numbers of the sends of one room as they are heard, in any order and with any lost: whether
/// one of them is missing.
///
/// What came before the first one that is heard may have been lost too, so it is missing until
/// that was made up for once. Plain code; belongs to one event loop.
public final class SendNumbers {
  private static final int MOST_AHEAD = 64;

  private final TreeSet<Long> ahead = new TreeSet<>();

  /// All up to this one were heard or made up for.
  private long whole;

  /// The last one that there is, as far as is known.
  private long known;

  /// A send was heard.
  public void heard(long number) {
    know(number);
    if (number == whole + 1) {
      whole = number;
      while (ahead.remove(whole + 1)) {
        whole++;
      }
    } else if (number > whole && ahead.size() < MOST_AHEAD) {
      ahead.add(number);
    }
  }

  /// There are so many.
  public void know(long number) {
    known = Math.max(known, number);
  }

  /// Whether one that there is was not heard.
  public boolean isMissingSome() {
    return known > whole;
  }

  /// Those that were not heard are made up for.
  public void giveUp() {
    whole = known;
    ahead.clear();
  }
}
