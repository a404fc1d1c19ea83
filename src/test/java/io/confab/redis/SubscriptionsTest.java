package io.confab.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.redis.Subscriptions.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SubscriptionsTest {
  private final Subscriptions subscriptions = new Subscriptions(2, 4, channel -> 0);

  @Test
  void channelsAreAskedForInChunksUpToTheBound() {
    subscriptions.want(List.of("a", "b", "c", "d", "e"));
    assertThat(subscriptions.next()).contains(new Change(true, List.of("a", "b")));
    assertThat(subscriptions.next()).contains(new Change(true, List.of("c", "d")));
    assertThat(subscriptions.next()).isEmpty();
    subscriptions.subscribed("a");
    assertThat(subscriptions.next()).contains(new Change(true, List.of("e")));
  }

  @Test
  void aChannelHasOneCommandUnderWay() {
    subscriptions.want(List.of("a"));
    assertThat(subscriptions.next()).isPresent();
    subscriptions.giveUp(List.of("a"));
    assertThat(subscriptions.next()).isEmpty();
    assertThat(subscriptions.subscribed("a")).isFalse();
    assertThat(subscriptions.next()).contains(new Change(false, List.of("a")));
    subscriptions.want(List.of("a"));
    assertThat(subscriptions.next()).isEmpty();
    subscriptions.unsubscribed("a");
    assertThat(subscriptions.next()).contains(new Change(true, List.of("a")));
  }

  @Test
  void whatIsConfirmedAsItIsNeedsNoCommand() {
    subscriptions.want(List.of("a"));
    assertThat(subscriptions.next()).isPresent();
    subscriptions.subscribed("a");
    subscriptions.giveUp(List.of("a"));
    assertThat(subscriptions.want(List.of("a", "b"))).containsExactly("a");
    assertThat(subscriptions.next()).contains(new Change(true, List.of("b")));
  }

  @Test
  void afterALossAllThatIsWantedIsAskedForAgain() {
    subscriptions.want(List.of("a", "b", "c"));
    assertThat(subscriptions.next()).isPresent();
    subscriptions.subscribed("a");
    subscriptions.giveUp(List.of("b"));
    subscriptions.reset();
    assertThat(subscriptions.next()).contains(new Change(true, List.of("a", "c")));
    assertThat(subscriptions.next()).isEmpty();
  }

  @Test
  void theChannelsOfACommandAreOfOneSlot() {
    Subscriptions bySlot = new Subscriptions(2, 10, channel -> channel.charAt(0));
    bySlot.want(List.of("a1", "b1", "a2", "a3", "b2", "c1"));
    assertThat(bySlot.next()).contains(new Change(true, List.of("a1", "a2")));
    assertThat(bySlot.next()).contains(new Change(true, List.of("a3")));
    assertThat(bySlot.next()).contains(new Change(true, List.of("b1", "b2")));
    assertThat(bySlot.underWay('a')).containsExactlyInAnyOrder("a1", "a2", "a3");
    bySlot.giveUp(List.of("c1"));
    assertThat(bySlot.next()).isEmpty();
  }

  @Test
  void nothingMoreIsSaidAboutWhatIsForgotten() {
    subscriptions.want(List.of("a", "b", "c"));
    assertThat(subscriptions.next()).contains(new Change(true, List.of("a", "b")));
    subscriptions.subscribed("a");
    subscriptions.forget(List.of("a", "b", "c"));
    assertThat(subscriptions.next()).isEmpty();
    assertThat(subscriptions.wanted(channel -> true)).isEmpty();
    subscriptions.want(List.of("b"));
    assertThat(subscriptions.next()).contains(new Change(true, List.of("b")));
  }

  @Test
  void whateverHappensTheServerEndsUpWithWhatIsWanted() {
    for (long seed = 0; seed < 2_000; seed++) {
      assertThat(survivors(seed)).as("seed %d", seed).isTrue();
    }
  }

  private static boolean survivors(long seed) {
    Random random = new Random(seed);
    Subscriptions subscriptions = new Subscriptions(2, 3, channel -> channel.charAt(0) % 2);
    Server server = new Server();
    List<String> wanted = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      String channel = String.valueOf((char) ('a' + random.nextInt(4)));
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> {
          subscriptions.want(List.of(channel));
          wanted.remove(channel);
          wanted.add(channel);
        }
        case 3, 4, 5 -> {
          subscriptions.giveUp(List.of(channel));
          wanted.remove(channel);
        }
        case 6 -> {
          subscriptions.reset();
          server.restart();
        }
        case 7 -> server.answerOne(subscriptions);
        default -> subscriptions.next().ifPresent(server::accept);
      }
    }
    for (int i = 0; i < 100; i++) {
      subscriptions.next().ifPresent(server::accept);
      server.answerOne(subscriptions);
    }
    return server.subscribed.size() == wanted.size() && server.subscribed.containsAll(wanted);
  }

  /// Carries commands out at once and confirms them later, in order.
  private static final class Server {
    private final List<String> subscribed = new ArrayList<>();
    private final List<Change> unconfirmed = new ArrayList<>();

    void accept(Change change) {
      for (String channel : change.channels()) {
        subscribed.remove(channel);
        if (change.subscribe()) {
          subscribed.add(channel);
        }
        unconfirmed.add(new Change(change.subscribe(), List.of(channel)));
      }
    }

    void answerOne(Subscriptions subscriptions) {
      if (!unconfirmed.isEmpty()) {
        Change first = unconfirmed.removeFirst();
        if (first.subscribe()) {
          subscriptions.subscribed(first.channels().getFirst());
        } else {
          subscriptions.unsubscribed(first.channels().getFirst());
        }
      }
    }

    void restart() {
      subscribed.clear();
      unconfirmed.clear();
    }
  }
}
