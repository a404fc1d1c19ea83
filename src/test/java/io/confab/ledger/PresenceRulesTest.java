package io.confab.ledger;

import static io.confab.ledger.Invariant.PRESENCE_KNOWN;
import static io.confab.ledger.Invariant.TYPING_TRUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.ledger.FinalPresence.Counted;
import io.confab.ledger.FinalPresence.Known;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Ann is away and Bob online, in a room with Cat, who has no session; Dan is online, in a room of
/// his own.
@Timeout(30)
class PresenceRulesTest {
  private static final Map<String, String> STATUSES =
      Map.of("ann", "away", "bob", "online", "dan", "online");
  private static final Map<String, Set<String>> MEMBERS =
      Map.of("tea", Set.of("ann", "bob", "cat"), "den", Set.of("dan"));

  private static List<Invariant> broken(List<Known> known, List<Counted> counted) {
    FinalPresence presence = new FinalPresence(STATUSES, MEMBERS, known, counted);
    List<Invariant> broken = names(List.of(), presence);
    assertThat(presence.isKnown()).isEqualTo(broken.isEmpty());
    return broken;
  }

  private static List<Invariant> names(List<Entry> history, FinalPresence presence) {
    return Invariants.check(history, List.of(), List.of(), FinalMarks.NONE, presence).stream()
        .map(Violation::name)
        .toList();
  }

  private static Known bobKnows(String account, String status) {
    return new Known("bob-1", "bob", account, status);
  }

  @Test
  void whoKnowsHowItIsBreaksNothing() {
    assertThat(
            broken(
                List.of(
                    bobKnows("ann", "away"),
                    bobKnows("bob", "online"),
                    bobKnows("cat", "offline"),
                    bobKnows("dan", "offline")),
                List.of(new Counted("bob-1", "tea", 2), new Counted("dan-1", "den", 1))))
        .isEmpty();
  }

  @Test
  void aGhostThatStaysIsFound() {
    assertThat(broken(List.of(bobKnows("cat", "online")), List.of()))
        .containsExactly(PRESENCE_KNOWN);
  }

  @Test
  void whoIsShownAsGoneAndIsThereIsFound() {
    assertThat(broken(List.of(bobKnows("ann", "offline")), List.of()))
        .containsExactly(PRESENCE_KNOWN);
  }

  @Test
  void whoIsShownToSomebodyWithoutARoomInCommonIsFound() {
    assertThat(broken(List.of(bobKnows("dan", "online")), List.of()))
        .containsExactly(PRESENCE_KNOWN);
  }

  @Test
  void aNumberThatIsNotThatOfThoseWhoAreThereIsFound() {
    assertThat(broken(List.of(), List.of(new Counted("bob-1", "tea", 3))))
        .containsExactly(PRESENCE_KNOWN);
  }

  private static List<Invariant> typing(Entry... history) {
    return names(List.of(history), FinalPresence.NONE);
  }

  private static Entry said(String account) {
    return new Entry.TypingSaid(1, account + "-1", account, "tea");
  }

  private static Entry bobIsTold(String typist, String room, long leftMs) {
    return new Entry.TypingTold(2, "bob-1", "bob", room, typist, leftMs);
  }

  @Test
  void whoIsTypingIsShownForAsLongAsItLasts() {
    assertThat(typing(said("ann"), bobIsTold("ann", "tea", 4_990), bobIsTold("ann", "tea", -20)))
        .isEmpty();
    assertThat(typing(said("ann"), bobIsTold("ann", "tea", 6_000))).containsExactly(TYPING_TRUE);
  }

  @Test
  void whoDidNotSayThatTheyTypeIsFound() {
    assertThat(typing(said("cat"), bobIsTold("ann", "tea", 5_000))).containsExactly(TYPING_TRUE);
    assertThat(typing(said("ann"), bobIsTold("ann", "den", 5_000))).containsExactly(TYPING_TRUE);
    assertThat(typing(bobIsTold("ann", "tea", 5_000), said("ann"))).containsExactly(TYPING_TRUE);
  }

  @Test
  void oneIsNotToldOfOneself() {
    assertThat(typing(said("bob"), bobIsTold("bob", "tea", 5_000))).containsExactly(TYPING_TRUE);
  }
}
