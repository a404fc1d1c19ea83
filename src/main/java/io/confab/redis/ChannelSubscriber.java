package io.confab.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.Collection;
import java.util.Set;

/// Subscribes to channels wherever they are, and keeps to it. Used on one context, which is where
/// it calls its owner, but for `isUp`.
interface ChannelSubscriber {
  interface Owner {
    void message(String channel, Response payload);

    /// The channel is subscribed from now on.
    void confirmed(String channel);

    /// The channels receive nothing until they are confirmed again.
    void lost(Collection<String> channels);

    /// The server is not in charge of the channels and has forgotten them.
    default void refused(Collection<String> channels) {
      lost(channels);
    }
  }

  /// Begins to connect and to stay connected. Does not wait for it.
  ///
  /// @param beats the channel by which it notices that it lives
  void open(Beats beats);

  /// Channels that are subscribed already are confirmed once more.
  void subscribe(Set<String> channels);

  void unsubscribe(Set<String> channels);

  /// Whether each server has confirmed a subscription. For any thread.
  boolean isUp();

  /// To be called at regular times.
  void beat();

  Future<Void> close();
}
