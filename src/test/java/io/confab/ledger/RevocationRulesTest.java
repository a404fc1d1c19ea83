package io.confab.ledger;

import static io.confab.ledger.Invariant.REVOKED_SERVED_NO_MORE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Histories in which bob, with node n1, is signed out by n2 at 100 ms, and ann goes on talking.
/// He may go on for 20 ms.
@Timeout(30)
class RevocationRulesTest {
  private static final long MILLI = 1_000_000;
  private static final long WITHIN = 20 * MILLI;

  private final List<Entry> history = new ArrayList<>();
  private int said;

  private void at(long ms, LongFunction<Entry> entry) {
    history.add(entry.apply(ms * MILLI));
  }

  private void connected(long ms, String node) {
    at(ms, t -> new Entry.Connected(t, "bob", node));
    at(ms, t -> new Entry.ViewBegan(t, "bob/room", "bob", "bob", "room", 1, said));
  }

  private void closed(long ms, int code) {
    at(ms, t -> new Entry.Disconnected(t, "bob", "n1", code));
  }

  private void revoked(long ms) {
    at(ms, t -> new Entry.Revoked(t, "bob", "n2", WITHIN));
  }

  private void fault(long from, long to, String target) {
    at(from, t -> new Entry.FaultBegan(t, "frozen", target));
    at(to, t -> new Entry.FaultSeen(t, "frozen", target, "it was"));
    at(to, t -> new Entry.FaultEnded(t, "frozen", target));
  }

  private void annSays(long ms) {
    String id = "a" + ++said;
    at(ms, t -> new Entry.SendBegan(t, "ann", "room", id, "ann", "#" + id));
    at(ms, t -> new Entry.Acked(t, "ann", "room", id, said, false));
  }

  private void bobHears(long ms) {
    String id = "a" + said;
    at(
        ms,
        t ->
            new Entry.Received(
                t, "bob/room", "room", 1, said, Entry.MESSAGE, said, "ann", id, "#" + id));
  }

  /// Nothing is stored in these histories, which is another matter.
  private List<Invariant> broken() {
    return Invariants.check(history, List.of()).stream()
        .map(Violation::name)
        .filter(REVOKED_SERVED_NO_MORE::equals)
        .toList();
  }

  private void stoodStill(long from, long to, String node) {
    at(to, t -> new Entry.StoodStill(t, node, from * MILLI));
  }

  @Test
  void theTimeOfANodeThatStandsStillBeginsAnewWhenItGoesOn() {
    connected(0, "n1");
    revoked(100);
    stoodStill(95, 150, "n1");
    annSays(165);
    bobHears(166);
    closed(170, 4501);
    assertThat(broken()).isEmpty();
  }

  @Test
  void thatAnotherNodeStandsStillExcusesNobody() {
    connected(0, "n1");
    at(0, t -> new Entry.Connected(t, "carl", "n3"));
    revoked(100);
    stoodStill(95, 150, "n3");
    annSays(165);
    bobHears(166);
    closed(170, 4501);
    assertThat(broken()).containsExactly(REVOKED_SERVED_NO_MORE);
  }

  @Test
  void aSessionThatEndsInTimeKeepsIt() {
    connected(0, "n1");
    revoked(100);
    annSays(119);
    bobHears(200); // sent in time, and long under way
    closed(210, 4501);
    assertThat(broken()).isEmpty();
  }

  @Test
  void whatBeganAfterTheBoundMustNotArrive() {
    connected(0, "n1");
    revoked(100);
    annSays(121);
    bobHears(122);
    closed(130, 4501);
    assertThat(broken()).containsExactly(REVOKED_SERVED_NO_MORE);
  }

  @Test
  void whatBeganAfterTheBoundMustNotBeAcknowledged() {
    connected(0, "n1");
    revoked(100);
    at(121, t -> new Entry.SendBegan(t, "bob", "room", "b", "bob", "#b"));
    at(122, t -> new Entry.Acked(t, "bob", "room", "b", 1, false));
    closed(130, 4501);
    assertThat(broken()).containsExactly(REVOKED_SERVED_NO_MORE);
  }

  @Test
  void aSessionThatIsNotClosedBreaksIt() {
    connected(0, "n1");
    revoked(100);
    assertThat(broken()).containsExactly(REVOKED_SERVED_NO_MORE);
    at(500, t -> new Entry.SignedIn(t, "bob"));
    assertThat(broken()).containsExactly(REVOKED_SERVED_NO_MORE);
  }

  @Test
  void thatTheClientWentAwayItselfIsNoClosing() {
    connected(0, "n1");
    revoked(100);
    closed(130, Entry.BY_ITSELF);
    assertThat(broken()).containsExactly(REVOKED_SERVED_NO_MORE);
  }

  @Test
  void thereMayHaveBeenNoSession() {
    connected(0, "n1");
    closed(50, -1);
    revoked(100);
    assertThat(broken()).isEmpty();
  }

  @Test
  void theTimeDoesNotRunWhileTheSessionsNodeStandsStill() {
    connected(0, "n1");
    revoked(100);
    at(110, t -> new Entry.FaultBegan(t, "frozen", "n1"));
    annSays(150);
    at(200, t -> new Entry.FaultSeen(t, "frozen", "n1", "it was"));
    at(200, t -> new Entry.FaultEnded(t, "frozen", "n1"));
    bobHears(201);
    annSays(219);
    bobHears(219);
    closed(230, 4501);
    assertThat(broken()).isEmpty();
  }

  @Test
  void theTimeRunsAgainOnceTheFaultIsOver() {
    connected(0, "n1");
    revoked(100);
    fault(110, 200, "redis");
    annSays(221);
    bobHears(222);
    closed(230, 4501);
    assertThat(broken()).containsExactly(REVOKED_SERVED_NO_MORE);
  }

  @Test
  void aFaultOfAnotherNodeIsNoExcuse() {
    at(0, t -> new Entry.Connected(t, "ann", "n3"));
    connected(0, "n1");
    revoked(100);
    fault(100, 200, "n3");
    annSays(201);
    bobHears(202);
    closed(230, 4501);
    assertThat(broken()).containsExactly(REVOKED_SERVED_NO_MORE);
  }

  @Test
  void theFormerSignInLetsNobodyIn() {
    connected(0, "n1");
    revoked(100);
    closed(101, 4501);
    at(120, t -> new Entry.LetIn(t, "bob", "n3", 99 * MILLI)); // asked before
    assertThat(broken()).isEmpty();
    at(121, t -> new Entry.LetIn(t, "bob", "n3", 101 * MILLI));
    assertThat(broken()).containsExactly(REVOKED_SERVED_NO_MORE);
  }

  @Test
  void whoSignedInAnewIsServed() {
    connected(0, "n1");
    revoked(100);
    closed(101, 4501);
    at(110, t -> new Entry.SignedIn(t, "bob"));
    at(150, t -> new Entry.LetIn(t, "bob", "n3", 140 * MILLI));
    at(150, t -> new Entry.Connected(t, "bob", "n3"));
    annSays(160);
    bobHears(161);
    assertThat(broken()).isEmpty();
  }
}
