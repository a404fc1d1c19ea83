package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FeedHubTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final AccountId ANN = new AccountId(1);

  private final FakeBroker broker = new FakeBroker();
  private final FakeRecent recent = new FakeRecent();
  private final List<Rev> seals = new ArrayList<>();
  private final FeedHub hub =
      new FeedHub(broker, recent, this::sealed, new DigestLog(), new DatabaseEpoch());
  private final RecordingLoop first = new RecordingLoop();
  private final RecordingLoop second = new RecordingLoop();

  @Test
  void theBrokerIsAskedForTheFirstLoopAndToldAfterTheLast() {
    hub.watch(ROOM, first);
    hub.watch(ROOM, second);
    hub.watch(ANN, first);
    hub.watch(ANN, second);
    assertThat(broker.asked).containsExactly("watch room 7", "watch account 1");
    broker.asked.clear();
    hub.unwatch(ROOM, first);
    hub.unwatch(ANN, second);
    assertThat(broker.asked).isEmpty();
    hub.unwatch(ROOM, second);
    hub.unwatch(ANN, first);
    assertThat(broker.asked).containsExactly("unwatch room 7", "unwatch account 1");
    hub.watch(ROOM, first);
    assertThat(broker.asked).endsWith("watch room 7");
  }

  @Test
  void onlyLoopsThatCareAreTold() {
    hub.watch(ROOM, first);
    hub.watch(new RoomId(8), second);
    hub.watch(ANN, second);
    hub.event(event(ROOM, 1));
    hub.signal(new AccountSignal.Added(ANN, ROOM));
    hub.signal(new AccountSignal.Added(new AccountId(2), ROOM));
    assertThat(first.told).containsExactly("event 1");
    assertThat(second.told).containsExactly("signal 1");
  }

  @Test
  void everybodyComparesAfterASignalWasLostThatNothingRepeats() {
    List<AccountSignal> signals = List.of(new AccountSignal.Added(ANN, ROOM));
    hub.signalOnce(signals);
    assertThat(hub.log().drain().more()).isFalse();
    broker.loses = true;
    hub.signal(signals);
    assertThat(hub.log().drain().more()).isFalse();
    hub.signalOnce(signals);
    assertThat(hub.log().drain().more()).isTrue();
    assertThat(hub.log().drain().more()).isFalse();
  }

  @Test
  void whoHasLeftIsNotTold() {
    hub.watch(ROOM, first);
    hub.watch(ROOM, second);
    hub.unwatch(ROOM, first);
    hub.event(event(ROOM, 1));
    assertThat(first.told).isEmpty();
    assertThat(second.told).containsExactly("event 1");
    hub.unwatch(ROOM, second);
    hub.event(event(ROOM, 2));
    assertThat(second.told).containsExactly("event 1");
  }

  @Test
  void whatIsCommittedHereReachesOwnLoopsInOrderAndTheBroker() {
    hub.watch(ROOM, first);
    hub.watch(ANN, first);
    broker.asked.clear();
    hub.announce(List.of(event(ROOM, 1), event(ROOM, 2), event(new RoomId(8), 3)));
    hub.signal(List.of(new AccountSignal.Added(ANN, ROOM)));
    assertThat(first.told).containsExactly("event 1", "event 2", "signal 1");
    assertThat(broker.asked).containsExactly("publish 1", "publish 2", "publish 3", "signal 1");
  }

  @Test
  void whileNoOtherNodeIsThereNothingIsPublished() {
    hub.watch(ROOM, first);
    hub.watch(ANN, first);
    broker.asked.clear();
    hub.alone(true, true);
    hub.announce(List.of(event(ROOM, 1)));
    hub.restate(List.of(new Announcer.Restatement(event(ROOM, 2), event(ROOM, 1))));
    hub.signal(List.of(new AccountSignal.Added(ANN, ROOM)));
    assertThat(first.told).containsExactly("event 1", "event 2", "signal 1");
    assertThat(broker.asked).isEmpty();
    assertThat(hub.log().parts(new Epoch(1)).getLast().moved())
        .as("for a node that comes")
        .isNotEmpty();
    assertThat(recent.added).isNotEmpty();
    hub.signalOnce(List.of(new AccountSignal.Renamed(ANN, new AccountId(2))));
    hub.announce(
        new RoomSignal(
            ROOM, ANN, new RoomSignal.State("typing", Duration.ZERO), Set.of(), new byte[0]));
    assertThat(first.told).endsWith("signal 1", "signal of room 7");
    assertThat(broker.asked).as("states are kept all the same").containsExactly("keep typing 0");
    hub.alone(true, false);
    hub.announce(new RoomSignal(ROOM, ANN, null, Set.of(), new byte[0]));
    assertThat(broker.asked)
        .as("what was published before may still come back, and would be overtaken")
        .endsWith("offer signal");
    hub.alone(false, false);
    hub.announce(List.of(event(ROOM, 3)));
    assertThat(broker.asked).endsWith("publish 3");
  }

  @Test
  void aNodeThatComesComparesIfSomethingWasWithheldThatNoDigestRepeats() {
    hub.alone(true, true);
    hub.alone(false, false);
    assertThat(hub.log().drain().more()).as("nothing was").isFalse();
    hub.alone(true, true);
    hub.signalOnce(List.of(new AccountSignal.Renamed(ANN, new AccountId(2))));
    assertThat(hub.log().drain().more()).as("nobody is there yet").isFalse();
    hub.alone(false, false);
    assertThat(hub.log().drain().more()).isTrue();
    hub.alone(false, false);
    assertThat(hub.log().drain().more()).as("told once").isFalse();
  }

  @Test
  void aGroupIsOneCallForEachLoopWhateverItsRooms() {
    RoomId other = new RoomId(8);
    hub.watch(ROOM, first);
    hub.watch(other, first);
    hub.watch(other, second);
    List<Event> group = new ArrayList<>();
    for (int rev = 1; rev <= 100; rev++) {
      group.add(event(ROOM, rev));
      group.add(event(other, rev));
    }
    hub.announce(group);
    assertThat(first.told).hasSize(200).startsWith("event 1", "event 1", "event 2");
    assertThat(second.told).hasSize(100).startsWith("event 1", "event 2");
    assertThat(List.of(first.calls, second.calls)).containsExactly(1, 1);
  }

  private SealedEvent sealed(Event event) {
    seals.add(event.rev());
    return FakeBroker.sealed(event);
  }

  @Test
  void anEventIsSealedOnceForBrokerAndRecentWindow() {
    hub.announce(List.of(event(ROOM, 1), event(ROOM, 2)));
    assertThat(seals).containsExactly(new Rev(1), new Rev(2));
    hub.restate(List.of(new Announcer.Restatement(event(ROOM, 3), event(ROOM, 1))));
    assertThat(seals).containsExactly(new Rev(1), new Rev(2), new Rev(3), new Rev(1));
    assertThat(recent.added).hasSize(4);
  }

  @Test
  void aSignalOfARoomGoesByTheBrokerAlone() {
    hub.watch(ROOM, first);
    hub.watch(new RoomId(8), second);
    broker.asked.clear();
    RoomSignal signal =
        new RoomSignal(
            ROOM,
            ANN,
            new RoomSignal.State("typing", Duration.ofSeconds(5)),
            Set.of(),
            new byte[0]);
    hub.announce(signal);
    assertThat(broker.asked).containsExactly("offer typing 5000");
    assertThat(first.told).isEmpty();
    hub.signal(signal);
    assertThat(first.told).containsExactly("signal of room 7");
    assertThat(second.told).isEmpty();
    assertThat(recent.added).isEmpty();
    assertThat(hub.log().drain().moved()).isEmpty();
  }

  @Test
  void whatTheBrokerBringsIsNotPublishedAgain() {
    hub.event(event(ROOM, 1));
    hub.signal(new AccountSignal.Added(ANN, ROOM));
    assertThat(broker.asked).isEmpty();
  }

  @Test
  void aConfirmationTellsTheLoopsThatListenNow() {
    hub.watch(ROOM, first);
    hub.watch(ROOM, second);
    hub.watch(ANN, second);
    hub.confirmed(Set.of(ROOM, new RoomId(8)), Set.of(ANN, new AccountId(2)));
    assertThat(first.told).containsExactly("look 7");
    assertThat(second.told).containsExactlyInAnyOrder("look 7", "listening account 1");
  }

  @Test
  void whoBeginsToWatchLearnsWhetherItIsHeardAlready() {
    assertThat(hub.watch(ROOM, first)).isFalse();
    assertThat(hub.watch(ANN, first)).isFalse();
    broker.hears = true;
    assertThat(hub.watch(ROOM, second)).isTrue();
    assertThat(hub.watch(ANN, second)).isTrue();
  }

  @Test
  void withoutABrokerNobodyWaitsForOne() {
    broker.up = false;
    assertThat(hub.watch(ROOM, first)).isTrue();
    assertThat(hub.watch(ANN, first)).isTrue();
  }

  @Test
  void whatADigestTellsReachesTheLoopsThatCareAndIsNotToldAgain() {
    hub.watch(ROOM, first);
    hub.watch(ANN, second);
    hub.tell(ROOM, new Rev(5));
    hub.look(ROOM);
    hub.signal(new AccountSignal.Added(ANN, ROOM));
    assertThat(first.told).containsExactly("moved 7 to 5", "look 7");
    assertThat(second.told).containsExactly("signal 1");
    assertThat(broker.asked).noneMatch(asked -> asked.startsWith("publish"));
    assertThat(hub.log().drain().moved()).isEmpty();
    assertThat(hub.log().drain().signals()).isEmpty();
  }

  @Test
  void whateverIsAnnouncedIsNotedForTheNextDigest() {
    hub.announce(List.of(event(ROOM, 1)));
    hub.restate(
        List.of(new Announcer.Restatement(event(new RoomId(8), 5), event(new RoomId(8), 2))));
    hub.signal(List.of(new AccountSignal.Added(ANN, ROOM)));
    Digest.Contents contents = hub.log().drain();
    assertThat(contents.moved())
        .containsExactlyInAnyOrder(
            new Digest.Moved(ROOM, new Rev(1)), new Digest.Moved(new RoomId(8), new Rev(5)));
    assertThat(contents.signals()).containsExactly(new AccountSignal.Added(ANN, ROOM));
  }

  private static QueuedSend send(RoomId room, long number) {
    return new QueuedSend(room, null, new Epoch(1), number, new byte[0], List.of());
  }

  @Test
  void aSendToQueuesReachesTheLoopsThatCareTheBrokerAndTheNextDigest() {
    List<QueuedSend> queued = new ArrayList<>();
    hub.onQueued(queued::addAll);
    hub.watchQueues(ROOM, first);
    broker.asked.clear();
    hub.queued(List.of(send(ROOM, 1), send(ROOM, 2), send(new RoomId(8), 5)));
    assertThat(first.told).containsExactly("queued 1", "queued 2");
    assertThat(broker.asked).containsExactly("queued 1", "queued 2", "queued 5");
    assertThat(queued).hasSize(3);
    assertThat(hub.log().drain().sends())
        .containsExactlyInAnyOrder(new Digest.Sends(ROOM, 2), new Digest.Sends(new RoomId(8), 5));
  }

  @Test
  void whileNoOtherNodeIsThereSendsAreNotPublished() {
    hub.alone(true, false);
    hub.queued(List.of(send(ROOM, 1)));
    assertThat(broker.asked).isEmpty();
    assertThat(hub.log().drain().sends()).as("for a node that comes").hasSize(1);
  }

  @Test
  void ofASendWithoutARoomTheAccountIsTold() {
    hub.watch(ANN, first);
    hub.queued(List.of(new QueuedSend(null, ANN, new Epoch(1), 0, new byte[0], List.of())));
    assertThat(first.told).containsExactly("signal 1");
    assertThat(hub.log().drain().signals()).containsExactly(new AccountSignal.Queued(ANN));
  }

  @Test
  void whatABrokerOrADigestTellsOfSendsIsNotToldAgain() {
    hub.watchQueues(ROOM, first);
    broker.asked.clear();
    hub.queued(send(ROOM, 1));
    hub.tell(ROOM, 4);
    hub.lookAtQueues(ROOM);
    assertThat(first.told).containsExactly("queued 1", "queued up to 4", "look 7");
    assertThat(broker.asked).isEmpty();
    assertThat(hub.log().drain().sends()).isEmpty();
    hub.unwatchQueues(ROOM, first);
    hub.queued(send(ROOM, 2));
    assertThat(first.told).hasSize(3);
  }

  @Test
  void everyLoopComparesWhatItHolds() {
    hub.onCompareAll(first::compareAll);
    hub.onCompareAll(second::compareAll);
    hub.compareAll();
    assertThat(first.told).containsExactly("compare all");
    assertThat(second.told).containsExactly("compare all");
  }

  private static Event event(RoomId room, long rev) {
    return new Event(room, new Epoch(1), new Rev(rev), new Event.OfRoom(), new byte[0]);
  }
}
