package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonsTest {
  private static final Instant NOW = Talker.NOW;

  private Path temp;

  private final HonestServer server = new HonestServer();
  private final List<Talker> talkers = new ArrayList<>();
  private final List<Comparison> hers = new ArrayList<>();
  private final List<Comparison> his = new ArrayList<>();
  private Talker alice;
  private Talker bob;
  private AccountId[] both;

  @BeforeEach
  void meet(@TempDir Path folder) {
    temp = folder;
    alice = add(Talker.first(server, temp, 17, "a"));
    bob = add(Talker.first(server, temp, 18, "b"));
    both = new AccountId[] {alice.account(), bob.account()};
    alice.ask(both);
    bob.ask(both);
    alice.claim(both);
  }

  @AfterEach
  void part() {
    talkers.forEach(Talker::close);
  }

  @Test
  void twoPeopleWhoSeeTheSameKnowEachOther() {
    String id = begin(alice, bob).id();
    Comparison shown = shown(alice, bob);
    assertThat(shown.emojis()).hasSize(7).isEqualTo(last(bob).emojis());
    assertThat(shown.stage()).isEqualTo(Comparison.Stage.SHOWN);
    send(alice, matches(alice, id, true));
    assertThat(last(alice).stage()).isEqualTo(Comparison.Stage.CONFIRMED);
    take(bob);
    assertThat(last(bob).stage()).isEqualTo(Comparison.Stage.SHOWN);
    assertThat(trust(bob, alice)).isEqualTo(Trust.PINNED);
    send(bob, matches(bob, id, true));
    assertThat(last(bob).stage()).isEqualTo(Comparison.Stage.VERIFIED);
    take(alice);
    assertThat(last(alice).stage()).isEqualTo(Comparison.Stage.VERIFIED);
    assertThat(trust(alice, bob)).isEqualTo(Trust.VERIFIED);
    assertThat(trust(bob, alice)).isEqualTo(Trust.VERIFIED);
    assertThat(alice.device().inbox()).isEmpty();
  }

  @Test
  void whoSeesSomethingElseEndsItForBoth() {
    String id = begin(alice, bob).id();
    shown(alice, bob);
    send(bob, matches(bob, id, true));
    send(alice, matches(alice, id, false));
    assertThat(last(alice).stage()).isEqualTo(Comparison.Stage.ENDED);
    assertThat(last(alice).doubt()).isEqualTo(Doubt.DIFFERENT);
    take(bob);
    assertThat(last(bob).stage()).isEqualTo(Comparison.Stage.ENDED);
    assertThat(last(bob).doubt()).isEqualTo(Doubt.DIFFERENT);
    take(alice);
    assertThat(trust(alice, bob)).isEqualTo(Trust.PINNED);
    assertThat(trust(bob, alice)).isEqualTo(Trust.PINNED);
    assertThat(alice.device().comparisons().matches(bob.place, id, true)).isEmpty();
  }

  @Test
  void aWordOnOneComparisonIsNoneOnThatOfAnotherDeviceWithTheSameId() {
    String id = begin(alice, bob).id();
    shown(alice, bob);
    RoomDevice other =
        new RoomDevice(bob.account(), new DeviceId("other"), bob.place.registrationId());
    assertThat(alice.device().comparisons().matches(other, id, true)).isEmpty();
    assertThat(alice.device().comparisons().cancel(other, id)).isEmpty();
  }

  @Test
  void aStepOutOfTurnEndsIt() {
    String id = begin(alice, bob).id();
    ObjectNode mac = SealedJson.object().put("transaction_id", id).put("keys", "A");
    mac.putObject("mac");
    server.sendLoose(bob.place, List.of(bobsLetter("mac", mac)));
    take(alice);
    assertThat(last(alice).stage()).isEqualTo(Comparison.Stage.ENDED);
    assertThat(last(alice).doubt()).isEqualTo(Doubt.MALFORMED);
    assertThat(alice.device().comparisons().cancel(bob.place, id)).isEmpty();
  }

  @Test
  void aStepOfAnotherComparisonIsNoStepOfThisOne() {
    begin(alice, bob);
    take(bob);
    ObjectNode other = SealedJson.object().put("transaction_id", "other");
    server.sendLoose(bob.place, List.of(bobsLetter("cancel", other)));
    assertThat(taken(alice)).isEqualTo(1);
    assertThat(last(alice).stage()).isEqualTo(Comparison.Stage.WAITING);
  }

  @Test
  void whoIsKilledBeginsAnew() {
    String id = begin(alice, bob).id();
    shown(alice, bob);
    alice.restart();
    send(bob, matches(bob, id, true));
    assertThat(taken(alice)).isZero();
    begin(alice, bob);
    assertThat(shown(alice, bob).emojis()).isEqualTo(last(bob).emojis());
  }

  @Test
  void whoDoesNotGoOnEndsIt() {
    String id = begin(alice, bob).id();
    take(bob);
    Comparison cancelled = alice.device().comparisons().cancel(bob.place, id).orElseThrow();
    assertThat(cancelled.stage()).isEqualTo(Comparison.Stage.ENDED);
    send(alice, cancelled);
    take(bob);
    assertThat(last(bob).stage()).isEqualTo(Comparison.Stage.ENDED);
    assertThat(last(bob).doubt()).isNull();
  }

  @Test
  void tenMinutesAreEnough() {
    begin(alice, bob);
    Comparisons comparisons = alice.device().comparisons();
    assertThat(comparisons.endOverdue(NOW.plus(Duration.ofMinutes(9)))).isEmpty();
    assertThat(comparisons.endOverdue(NOW.plus(Duration.ofMinutes(10))))
        .singleElement()
        .satisfies(
            ended -> {
              assertThat(ended.stage()).isEqualTo(Comparison.Stage.ENDED);
              assertThat(ended.letters()).hasSize(1);
            });
  }

  @Test
  void ofTwoWhoBeginAtOnceOneGivesWay() {
    bob.claim(both);
    begin(alice, bob);
    begin(bob, alice);
    Comparison shown = shown(alice, bob);
    assertThat(shown.emojis()).hasSize(7).isEqualTo(last(bob).emojis());
    assertThat(last(bob).id()).isEqualTo(shown.id());
  }

  @Test
  void aChangedIdentityIsAcceptedByComparingIt() {
    server.remove(bob.place);
    Talker swapped = add(Talker.first(server, temp, 18, "new"));
    swapped.ask(both);
    swapped.claim(both);
    alice.ask(both);
    swapped.say("It is me.", both);
    assertThat(alice.hear()).isEmpty();
    assertThat(trust(alice, swapped)).isEqualTo(Trust.CHANGED);
    String id = begin(alice, swapped).id();
    shown(alice, swapped);
    send(alice, matches(alice, id, true));
    send(swapped, matches(swapped, id, true));
    take(alice);
    assertThat(trust(alice, swapped)).isEqualTo(Trust.VERIFIED);
    assertThat(alice.device().accept(swapped.account()))
        .extracting(SealedLine::text)
        .containsExactly("It is me.");
  }

  @Test
  void nothingIsComparedWithADeviceThatItsAccountDidNotSign() {
    Talker added = add(Talker.unsigned(server, temp, 18, "added"));
    added.ask(both);
    alice.ask(both);
    assertThat(alice.device().comparisons().partner(bob.account())).hasValue(bob.place);
    assertThat(added.device().comparisons().partner(alice.account())).isEmpty();
  }

  private Comparison begin(Talker from, Talker with) {
    Comparisons comparisons = from.device().comparisons();
    RoomDevice partner = comparisons.partner(with.account()).orElseThrow();
    assertThat(partner).isEqualTo(with.place);
    if (!comparisons.canBegin(partner)) {
      from.device().claimed(with.account(), with.place.deviceId(), server.claim(partner));
    }
    Comparison begun = comparisons.begin(partner, NOW);
    seen(from).add(begun);
    send(from, begun);
    return begun;
  }

  /// Both take what the other sends until nothing comes any more.
  private Comparison shown(Talker one, Talker other) {
    while (taken(other) + taken(one) > 0) {
      assertThat(seen(one)).hasSizeLessThan(20);
    }
    return last(one);
  }

  private int taken(Talker talker) {
    int before = seen(talker).size();
    take(talker);
    return seen(talker).size() - before;
  }

  private void take(Talker talker) {
    talker.open();
    for (Note note : talker.device().inbox()) {
      Optional<Comparison> step = talker.device().comparisons().take(note, NOW);
      step.ifPresent(
          taken -> {
            seen(talker).add(taken);
            send(talker, taken);
          });
    }
  }

  private Comparison matches(Talker talker, String id, boolean same) {
    RoomDevice with = last(talker).with();
    Comparison said = talker.device().comparisons().matches(with, id, same).orElseThrow();
    seen(talker).add(said);
    return said;
  }

  private void send(Talker from, Comparison step) {
    server.sendLoose(from.place, step.letters());
  }

  private LetterTo bobsLetter(String step, ObjectNode content) {
    take(bob);
    return bob.device().letter(alice.place, OpenComparison.STEP + step, content);
  }

  private List<Comparison> seen(Talker talker) {
    return talker == alice ? hers : his;
  }

  private Comparison last(Talker talker) {
    return seen(talker).getLast();
  }

  private static Trust trust(Talker of, Talker in) {
    return of.device().trust(in.account());
  }

  private Talker add(Talker talker) {
    talkers.add(talker);
    return talker;
  }
}
