package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedChannelsTest {
  private final List<String> told = new ArrayList<>();
  private final WatchedChannels interest =
      new WatchedChannels(channel -> told.add("+" + channel), channel -> told.add("-" + channel));

  @Test
  void onlyTheFirstWatcherBeginsInterest() {
    interest.watch("a");
    interest.watch("a");
    interest.watch("b");
    assertThat(told).containsExactly("+a", "+b");
  }

  @Test
  void interestEndsOneWholeSweepAfterTheLastWatcherLeft() {
    interest.watch("a");
    interest.watch("a");
    interest.unwatch("a");
    sweep(3);
    assertThat(told).containsExactly("+a");
    interest.unwatch("a");
    sweep(1);
    assertThat(told).containsExactly("+a");
    sweep(1);
    assertThat(told).containsExactly("+a", "-a");
  }

  @Test
  void comingAndGoingIsNotTold() {
    for (int i = 0; i < 10; i++) {
      interest.watch("a");
      interest.unwatch("a");
    }
    interest.watch("a");
    sweep(3);
    assertThat(told).containsExactly("+a");
  }

  @Test
  void interestThatEndedBeginsAnew() {
    interest.watch("a");
    interest.unwatch("a");
    sweep(2);
    interest.watch("a");
    assertThat(told).containsExactly("+a", "-a", "+a");
  }

  @Test
  void unwatchingWhatNobodyWatchesIsABug() {
    assertThatThrownBy(() -> interest.unwatch("a")).isInstanceOf(IllegalStateException.class);
  }

  private void sweep(int times) {
    for (int i = 0; i < times; i++) {
      interest.sweep();
    }
  }
}
