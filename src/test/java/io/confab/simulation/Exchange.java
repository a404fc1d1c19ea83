package io.confab.simulation;

import io.confab.feed.Broker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Pub/sub as it is allowed to be: what is published may be lost, doubled and overtaken, and while
/// it is away all is lost.
final class Exchange {
  private final Scheduler scheduler;
  private final Dice dice;
  private final List<NodeBroker> brokers = new ArrayList<>();
  private boolean up = true;
  private boolean losesAnnouncements;
  private double loss;
  private double doubling;
  private int longestDelay = 5;

  Exchange(Scheduler scheduler, Dice dice) {
    this.scheduler = scheduler;
    this.dice = dice;
  }

  boolean isUp() {
    return up;
  }

  double loss() {
    return loss;
  }

  void unreliable(double lossChance, double doublingChance, int longestDelayMs) {
    loss = lossChance;
    doubling = doublingChance;
    longestDelay = longestDelayMs;
  }

  /// Whether all is lost but the digests.
  void loseAnnouncements(boolean lose) {
    losesAnnouncements = lose;
  }

  void add(NodeBroker broker) {
    brokers.add(broker);
  }

  void remove(NodeBroker broker) {
    brokers.remove(broker);
  }

  void down() {
    if (up) {
      up = false;
      List.copyOf(brokers).forEach(NodeBroker::lost);
    }
  }

  void comeBack() {
    if (!up) {
      up = true;
      List.copyOf(brokers).forEach(NodeBroker::reconnect);
    }
  }

  /// @param key the room or account that it is about
  void publish(Object key, Consumer<Broker.Listener> publication) {
    if (!losesAnnouncements) {
      send(key, broker -> broker.tell(publication));
    }
  }

  void publishDigest(byte[] digest) {
    send(NodeBroker.DIGESTS, broker -> broker.node().heardOverRedis(digest));
  }

  private void send(Object key, Consumer<NodeBroker> publication) {
    scheduler.after(
        dice.millis(0.05, 0.5),
        () -> {
          if (!up) {
            return;
          }
          for (NodeBroker broker : List.copyOf(brokers)) {
            if (broker.isSubscribed(key)) {
              deliver(broker, publication);
              if (dice.chance(doubling)) {
                deliver(broker, publication);
              }
            }
          }
        });
  }

  private void deliver(NodeBroker broker, Consumer<NodeBroker> publication) {
    if (!dice.chance(loss)) {
      broker.node().after(dice.millis(0.05, longestDelay), () -> publication.accept(broker));
    }
  }
}
