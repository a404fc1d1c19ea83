package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.List;

/// Notes what is asked of it, and hears what the test says.
public final class FakeBroker implements Broker {
  public final List<String> asked = new ArrayList<>();
  public final List<RoomSignal> signals = new ArrayList<>();
  public boolean up = true;
  public boolean hears;

  /// Loses what it is to publish, and knows it.
  boolean loses;

  /// The binary form of events that nobody reads.
  public static SealedEvent sealed(Event event) {
    return new SealedEvent(event, new byte[0]);
  }

  static String text(RoomSignal signal) {
    RoomSignal.State state = signal.state();
    return state == null ? "signal" : state.kind() + " " + state.lasts().toMillis();
  }

  @Override
  public void publish(SealedEvent sealed) {
    asked.add("publish " + sealed.event().rev());
  }

  @Override
  public void publish(RoomSignal signal) {
    asked.add("offer " + text(signal));
    signals.add(signal);
  }

  @Override
  public void keep(RoomSignal signal) {
    asked.add("keep " + text(signal));
  }

  @Override
  public void publish(QueuedSend send) {
    asked.add("queued " + send.number());
  }

  @Override
  public void publish(AccountSignal signal) {
    asked.add("signal " + signal.account().value());
  }

  @Override
  public void publish(AccountSignal signal, Runnable lost) {
    publish(signal);
    if (loses) {
      lost.run();
    }
  }

  @Override
  public void watch(RoomId room) {
    asked.add("watch room " + room.value());
  }

  @Override
  public void unwatch(RoomId room) {
    asked.add("unwatch room " + room.value());
  }

  @Override
  public void watch(AccountId account) {
    asked.add("watch account " + account.value());
  }

  @Override
  public void unwatch(AccountId account) {
    asked.add("unwatch account " + account.value());
  }

  @Override
  public boolean hears(RoomId room) {
    return hears;
  }

  @Override
  public boolean hears(AccountId account) {
    return hears;
  }

  @Override
  public boolean isUp() {
    return up;
  }
}
