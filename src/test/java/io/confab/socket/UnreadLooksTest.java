package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.marker.MarkerCommand.LookAtUnread;
import io.confab.marker.MarkerCommand.Place;
import io.confab.marker.MarkerCommand.UnreadNews;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnreadLooksTest {
  private static final RoomId BUSY = new RoomId(1);
  private static final RoomId OTHER = new RoomId(2);
  private static final AccountId ANN = new AccountId(1);

  private final List<List<Place>> looks = new ArrayList<>();
  private boolean away;
  private final Queue<Runnable> timers = new ArrayDeque<>();
  private final UnreadLooks unread =
      new UnreadLooks(
          new Requests() {
            @Override
            @SuppressWarnings("unchecked")
            public <R extends BusMessage> Future<R> request(Command<R> command) {
              looks.add(((LookAtUnread) command).places());
              return away
                  ? Future.failedFuture(Refusal.unavailable("PostgreSQL is away"))
                  : Future.succeededFuture((R) new UnreadNews(List.of()));
            }
          },
          (_, action) -> timers.add(action),
          (_, _) -> {});

  private static Place place(AccountId account, RoomId room, long seq) {
    return new Place(account, room, new Seq(seq));
  }

  /// Those that are made until nothing waits, but for the first.
  private Set<Place> later() {
    while (!timers.isEmpty()) {
      timers.remove().run();
    }
    Set<Place> places = new HashSet<>();
    looks.subList(1, looks.size()).forEach(places::addAll);
    return places;
  }

  @Test
  void severalMessagesOfARoomAreAllLookedAt() {
    unread.changed(ANN, OTHER, new Seq(1));
    unread.changed(ANN, BUSY, new Seq(10));
    unread.changed(ANN, BUSY, new Seq(20));
    assertThat(later()).containsExactlyInAnyOrder(place(ANN, BUSY, 10), place(ANN, BUSY, 20));
  }

  @Test
  void whatCouldNotBeLookedAtIsLookedAtAgain() {
    away = true;
    unread.changed(ANN, BUSY, new Seq(10));
    away = false;
    unread.changed(ANN, BUSY, new Seq(20));
    assertThat(later()).containsExactlyInAnyOrder(place(ANN, BUSY, 10), place(ANN, BUSY, 20));
    unread.changed(ANN, BUSY, new Seq(30));
    assertThat(looks.getLast()).containsExactly(place(ANN, BUSY, 30));
  }

  @Test
  void ofManyMessagesAnyIsMeant() {
    unread.changed(ANN, OTHER, new Seq(1));
    for (int seq = 1; seq <= 100; seq++) {
      unread.changed(ANN, BUSY, new Seq(seq));
    }
    assertThat(later()).containsExactly(new Place(ANN, BUSY, Seq.ZERO));
  }

  @Test
  void whoeverEditsInALargeRoomLeavesRoomForOthers() {
    unread.changed(ANN, OTHER, new Seq(1));
    for (int account = 1; account <= 50_000; account++) {
      unread.changed(new AccountId(account), BUSY, new Seq(10));
    }
    unread.changed(ANN, OTHER, new Seq(2));
    assertThat(later()).contains(place(ANN, OTHER, 2)).hasSizeGreaterThanOrEqualTo(50_000);
    int turn = 0;
    while (!looks.get(turn).contains(place(ANN, OTHER, 2))) {
      turn++;
    }
    assertThat(turn).as("among the first").isLessThan(looks.size() / 10);
    unread.changed(new AccountId(7), BUSY, new Seq(30));
    assertThat(later()).contains(place(new AccountId(7), BUSY, 30));
  }
}
