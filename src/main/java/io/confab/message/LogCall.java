package io.confab.message;

import io.confab.feed.Event;
import io.confab.message.WriterQueue.Entry;
import io.vertx.core.Future;
import java.util.List;

/// What a writer does with entries of one kind that it took from its queue together.
///
/// @param <E> what was asked for
/// @param <O> what became of it
interface LogCall<E extends Entry, O> {
  /// Stores all in one transaction; tells the outcome of each, in their order, after the commit.
  Future<List<O>> store(List<E> entries);

  /// Answers those who asked.
  void answer(List<E> entries, List<O> outcomes);

  /// Announces what is stored now.
  void announce(List<E> entries, List<O> outcomes);

  /// Keeps an entry that can never be stored, where that is done; and answers it.
  default Future<Void> fault(E entry, Throwable failure) {
    entry.answer().fail(failure);
    return Future.succeededFuture();
  }

  /// The events of those entries that are stored, by whatever try.
  Future<List<Event>> find(List<E> entries);
}
