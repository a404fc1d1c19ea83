package io.confab.client;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.functions.Predicate;
import io.reactivex.rxjava3.processors.FlowableProcessor;
import io.reactivex.rxjava3.processors.PublishProcessor;

/// The updates of all rooms, published to any number of subscribers, each of which gets those that
/// come after its subscription.
///
/// Updates that a subscriber has not requested yet wait in a buffer of its own. One that is
/// [#MOST_WAITING] behind gets what waits, and then fails: so it knows up to where its updates are
/// whole, and neither the connection nor another subscriber waits for it.
final class UpdateStream {
  /// A power of two, as RxJava makes the buffer one.
  static final int MOST_WAITING = 1_024;

  private final FlowableProcessor<RoomUpdate> published = PublishProcessor.create();

  /// Those of the updates that are wanted.
  Flowable<RoomUpdate> where(Predicate<RoomUpdate> wanted) {
    return published
        .filter(wanted)
        .onBackpressureBuffer(MOST_WAITING, true)
        .onErrorResumeNext(_ -> Flowable.error(behind()));
  }

  /// For one thread at a time.
  void publish(RoomUpdate update) {
    published.onNext(update);
  }

  /// No more updates come; later subscribers get none.
  void complete() {
    published.onComplete();
  }

  boolean hasSubscribers() {
    return published.hasSubscribers();
  }

  private static ApiException behind() {
    return ApiException.local(
        ApiException.BEHIND, "more than " + MOST_WAITING + " updates waited for this subscriber");
  }
}
