package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ChatRoom;
import io.confab.client.Presence;
import io.confab.client.PresenceSignal;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// There is a direct room with Bob, and a group with Cat that is open.
@Timeout(60)
class AroundTest {
  private static final AccountId BOB = new AccountId(2);
  private static final AccountId CAT = new AccountId(3);
  private static final AccountId DAN = new AccountId(4);
  private static final RoomId WITH_BOB = new RoomId(20);
  private static final RoomId GROUP = new RoomId(30);

  private final List<String> watched = new ArrayList<>();
  private final Around around =
      new Around((people, rooms) -> watched.add(people.size() + " " + List.copyOf(rooms)));

  private static ChatRoom room(RoomId id, @Nullable AccountId peer) {
    return new ChatRoom(
        id,
        peer == null ? "group" : "direct",
        peer == null ? "Tea" : null,
        null,
        peer,
        "member",
        "all",
        null,
        null,
        null,
        null,
        2,
        true,
        null,
        null,
        null,
        new Epoch(1),
        Seq.ZERO,
        Rev.ZERO,
        null,
        null,
        null,
        null,
        null);
  }

  @BeforeEach
  void open() {
    around.listed(List.of(room(WITH_BOB, BOB), room(GROUP, null)));
    around.opened(room(GROUP, null));
  }

  private List<String> told(AccountId who, String status, @Nullable String text) {
    return around
        .take(new PresenceSignal.Person(new Presence(who, status, null, text)))
        .map(Around::said)
        .stream()
        .toList();
  }

  @Test
  void theOpenRoomAndTheOthersOfDirectRoomsAreWatchedAndAnewWhenTheyAreOthers() {
    assertThat(watched).containsExactly("1 []", "1 [" + GROUP + "]");
    around.listed(List.of(room(WITH_BOB, BOB), room(GROUP, null)));
    around.opened(room(GROUP, null));
    assertThat(watched).hasSize(2);
    around.opened(room(WITH_BOB, BOB));
    around.left(GROUP);
    assertThat(watched).hasSize(3).last().isEqualTo("1 [" + WITH_BOB + "]");
    around.left(WITH_BOB);
    assertThat(watched).last().isEqualTo("0 []");
  }

  @Test
  void whoOneHasADirectRoomWithIsToldOfWhenSomethingChanges() {
    assertThat(told(BOB, "online", null)).as("how it stands at first").isEmpty();
    assertThat(told(BOB, "online", null)).isEmpty();
    assertThat(told(BOB, "away", "Lunch\u001b[2J")).containsExactly("away, Lunch<U+1B>[2J");
    assertThat(told(CAT, "online", null)).isEmpty();
    assertThat(told(CAT, "offline", null)).as("of other members nobody is told").isEmpty();
    assertThat(around.other(WITH_BOB)).hasValueSatisfying(t -> assertThat(t).startsWith("away"));
    assertThat(around.other(GROUP)).isEmpty();
  }

  @Test
  void afterALostConnectionWhatStandsIsComparedForThoseWhoAreTold() {
    told(BOB, "online", null);
    around.take(new PresenceSignal.Count(GROUP, 2));
    assertThat(around.online(GROUP)).hasValue(2);
    around.take(new PresenceSignal.Began());
    assertThat(around.online(GROUP)).isEmpty();
    assertThat(told(BOB, "offline", null)).containsExactly("offline");
  }

  @Test
  void whoComesAndGoesInTheRoomIsToldFromWhenItIsAskedFor() {
    told(CAT, "online", null);
    around.take(new PresenceSignal.Count(GROUP, 2));
    around.follow(GROUP);
    assertThat(told(CAT, "online", null)).isEmpty();
    assertThat(told(CAT, "offline", null)).containsExactly("offline");
    assertThat(told(DAN, "online", null)).containsExactly("online");

    around.take(new PresenceSignal.Began());
    assertThat(told(DAN, "online", null)).as("as it stands at first").isEmpty();
    around.take(new PresenceSignal.Count(GROUP, 2));
    assertThat(told(DAN, "away", null)).containsExactly("away");
    around.opened(room(WITH_BOB, BOB));
    assertThat(told(DAN, "online", null)).isEmpty();
  }
}
