package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.util.Set;

/// What carries events and signals between nodes, at most once and in no promised order.
/// Thread-safe.
public interface Broker {
  /// Is called on one context, in order.
  interface Listener {
    void event(Event event);

    void signal(RoomSignal signal);

    void signal(AccountSignal signal);

    void queued(QueuedSend send);

    /// From now on these are heard, for the first time or again; what happened before may have
    /// been missed.
    void confirmed(Set<RoomId> rooms, Set<AccountId> accounts);
  }

  /// Publishes to the other nodes; never waits, never fails.
  void publish(SealedEvent event);

  /// Publishes to the other nodes, on the channel of its room; never waits, never fails.
  void publish(QueuedSend send);

  /// Publishes to all nodes, this one too, and keeps the signal as long as it lasts; the first to
  /// be dropped where much is under way.
  void publish(RoomSignal signal);

  /// Keeps the state of a signal as long as it lasts, without publishing it.
  void keep(RoomSignal signal);

  /// Publishes to the other nodes; never waits, never fails.
  void publish(AccountSignal signal);

  /// The same for a signal that no digest repeats.
  ///
  /// @param lost is run when the broker may not have got it; on any thread
  default void publish(AccountSignal signal, Runnable lost) {
    publish(signal);
  }

  /// Begins to watch, until as many `unwatch`. A caller that watches and then asks whether it hears
  /// either gets true or will get `confirmed`.
  void watch(RoomId room);

  void unwatch(RoomId room);

  /// As for rooms.
  void watch(AccountId account);

  void unwatch(AccountId account);

  boolean hears(RoomId room);

  boolean hears(AccountId account);

  /// Whether the broker is there as far as is known.
  boolean isUp();
}
