package io.confab.ledger;

import static io.confab.ledger.Invariant.ARCHIVED_SAYS_NO_MORE;
import static io.confab.ledger.Invariant.MEMBERS_ONLY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Histories of a room with two messages, of revs 2 and 4, in which bob is told of rev 3.
@Timeout(30)
class RoomRulesTest {
  private static final FinalRead ROOM =
      new FinalRead(
          "sql",
          "room",
          1,
          4,
          List.of(
              new Stored("room", 1, 1, 2, "ann", "a1", "#a1"),
              new Stored("room", 1, 2, 4, "ann", "a2", "#a2")));

  private final List<Entry> history = new ArrayList<>();

  private List<Invariant> broken(Membership... members) {
    return Invariants.check(history, List.of(ROOM), List.of(members)).stream()
        .map(Violation::name)
        .filter(name -> name == ARCHIVED_SAYS_NO_MORE || name == MEMBERS_ONLY)
        .toList();
  }

  private void bobHearsRev3() {
    history.add(new Entry.ViewBegan(1, "bob-1/room", "bob-1", "bob", "room", 1, 2));
    history.add(new Entry.Received(2, "bob-1/room", "room", 1, 3, "member.role", 0, "", "", ""));
  }

  @Test
  void nothingIsSaidInAnArchivedRoom() {
    history.add(new Entry.Archived(5, "room", 5));
    assertThat(broken()).isEmpty();
    history.set(0, new Entry.Archived(5, "room", 3));
    assertThat(broken()).containsExactly(ARCHIVED_SAYS_NO_MORE);
  }

  @Test
  void aMemberHearsAll() {
    bobHearsRev3();
    assertThat(broken(new Membership("bob", "room", 1, 0))).isEmpty();
    assertThat(broken(new Membership("bob", "room", 1, 4))).isEmpty();
  }

  @Test
  void whoLeftHearsNothingFromThereOn() {
    bobHearsRev3();
    assertThat(broken(new Membership("bob", "room", 1, 3))).containsExactly(MEMBERS_ONLY);
  }

  @Test
  void whoCameBackMayBeToldWhatHeMissed() {
    bobHearsRev3();
    assertThat(broken(new Membership("bob", "room", 1, 2), new Membership("bob", "room", 4, 0)))
        .isEmpty();
  }

  @Test
  void whoWasNeverThereHearsNothing() {
    bobHearsRev3();
    assertThat(broken(new Membership("ann", "room", 1, 0))).containsExactly(MEMBERS_ONLY);
  }

  @Test
  void ofARoomWithoutMembersNobodyKnows() {
    bobHearsRev3();
    assertThat(broken()).isEmpty();
  }
}
