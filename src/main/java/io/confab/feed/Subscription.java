package io.confab.feed;

import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One follower's hold on a [RoomFeed]. Belongs to the event loop of the feed.
public final class Subscription {
  private final RoomFeed feed;
  private final Subscriber subscriber;
  private int index;

  Subscription(RoomFeed feed, Subscriber subscriber, int index) {
    this.feed = feed;
    this.subscriber = subscriber;
    this.index = index;
  }

  /// The last rev that the feed has told its followers.
  public Rev head() {
    return feed.head();
  }

  /// That of everything that the feed tells.
  public Epoch epoch() {
    return feed.epoch();
  }

  /// The last rev that the room is known to have, whether it was told yet or not.
  public Rev known() {
    return feed.known();
  }

  /// What the feed has told after `position`; null when it does not remember that far.
  public @Nullable List<Event> since(Rev position) {
    return feed.since(position);
  }

  /// Has the feed remember a page, for those who come next.
  ///
  /// @param stood [#head] when the page was asked for
  public void remember(Rev stood, List<Event> page) {
    feed.remember(stood, page);
  }

  RoomFeed feed() {
    return feed;
  }

  Subscriber subscriber() {
    return subscriber;
  }

  int index() {
    return index;
  }

  void moveTo(int newIndex) {
    index = newIndex;
  }
}
