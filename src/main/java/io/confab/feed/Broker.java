package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;

/// What carries events and news between nodes, at most once and in no promised order.
/// Thread-safe.
public interface Broker {
  void publish(Event event);

  void publish(AccountNews news);

  void watch(RoomId room);

  void unwatch(RoomId room);

  void watch(AccountId account);

  void unwatch(AccountId account);

  /// Whether the broker is there as far as is known.
  boolean isUp();
}
