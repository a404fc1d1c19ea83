package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Newest;
import io.confab.presence.PresenceCommand.Registered;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Fence;
import io.confab.protocol.NodeId;
import io.confab.protocol.SessionId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionEntriesTest {
  private final List<List<Connection>> calls = new ArrayList<>();
  private final Deque<Promise<Registered>> underWay = new ArrayDeque<>();
  private final SessionEntries entries = new SessionEntries(this::register);

  private Future<Registered> register(List<Connection> connections) {
    calls.add(connections);
    Promise<Registered> answer = Promise.promise();
    underWay.add(answer);
    return answer.future();
  }

  /// All devices of the oldest call had another session.
  private void answer() {
    List<Newest> all =
        calls.get(calls.size() - underWay.size()).stream().map(SessionEntriesTest::newest).toList();
    underWay.remove().complete(new Registered(all));
  }

  private static Newest newest(Connection of) {
    return new Newest(of.account(), of.device(), of.fence());
  }

  private static Connection session(int account) {
    return new Connection(
        new AccountId(account),
        new DeviceId("phone"),
        new NodeId("n1"),
        new SessionId("s" + account),
        new Fence(new Epoch(1), account));
  }

  @Test
  void whoComesMeanwhileIsEnteredTogetherAndToldOfItsOwnAlone() {
    entries.enter(List.of(session(1)));
    Future<Registered> second = entries.enter(List.of(session(2)));
    Future<Registered> others = entries.enter(List.of(session(3), session(4)));
    assertThat(calls).containsExactly(List.of(session(1)));
    answer();
    assertThat(calls).last().isEqualTo(List.of(session(2), session(3), session(4)));
    answer();
    assertThat(second.result().contested()).containsExactly(newest(session(2)));
    assertThat(others.result().contested()).containsExactly(newest(session(3)), newest(session(4)));
  }

  @Test
  void aCrowdIsEnteredInFewCallsAndRefusedBeyondWhatMayWait() {
    List<Future<Registered>> all =
        IntStream.range(0, 20_002).mapToObj(i -> entries.enter(List.of(session(i)))).toList();
    assertThat(all.getLast().failed()).isTrue();
    while (!underWay.isEmpty()) {
      answer();
    }
    assertThat(all.subList(0, 20_001)).allMatch(Future::succeeded);
    assertThat(calls).hasSize(41).allMatch(call -> call.size() <= 500);
  }
}
