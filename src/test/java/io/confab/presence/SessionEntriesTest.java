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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionEntriesTest {
  private static final int MOST_WAITING = 40_000;

  /// What was asked of the registry, in order.
  private final List<String> calls = new ArrayList<>();

  private final Deque<Promise<Entered>> underWay = new ArrayDeque<>();
  private final Deque<List<Connection>> entering = new ArrayDeque<>();
  private final SessionEntries entries = new SessionEntries(this::register, this::unregister);

  private Future<Entered> register(List<Connection> connections) {
    calls.add("enter " + names(connections));
    entering.add(connections);
    Promise<Entered> answer = Promise.promise();
    underWay.add(answer);
    return answer.future();
  }

  private Future<Void> unregister(List<Connection> connections) {
    calls.add("remove " + names(connections));
    return Future.succeededFuture();
  }

  private static String names(List<Connection> connections) {
    return connections.stream()
        .map(each -> each.session().value())
        .collect(Collectors.joining(" "));
  }

  /// All devices of the oldest call had another session, but those of account 13 were not entered.
  private void answer() {
    List<Connection> connections = entering.remove();
    Map<AccountId, Throwable> failed = new HashMap<>();
    List<Newest> contested = new ArrayList<>();
    for (Connection each : connections) {
      if (each.account().value() == 13) {
        failed.put(each.account(), new IllegalStateException("away"));
      } else {
        contested.add(newest(each));
      }
    }
    underWay.remove().complete(new Entered(contested, failed));
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
    Future<Registered> failing = entries.enter(List.of(session(13)));
    assertThat(calls).containsExactly("enter s1");
    answer();
    assertThat(calls).containsExactly("enter s1", "enter s2 s3 s4 s13");
    answer();
    assertThat(second.result().contested()).containsExactly(newest(session(2)));
    assertThat(others.result().contested()).containsExactly(newest(session(3)), newest(session(4)));
    assertThat(failing.cause()).hasMessage("away");
  }

  @Test
  void whoGoesIsRemovedAfterItWasEnteredAndTogetherWithOthers() {
    entries.enter(List.of(session(1)));
    Future<Void> first = entries.remove(session(1));
    entries.enter(List.of(session(2)));
    Future<Void> second = entries.remove(session(2));
    assertThat(calls).containsExactly("enter s1");
    answer();
    assertThat(calls).containsExactly("enter s1", "enter s2", "remove s1 s2");
    answer();
    assertThat(List.of(first, second)).allMatch(Future::succeeded);
    entries.remove(session(3));
    assertThat(calls).last().isEqualTo("remove s3");
  }

  @Test
  void aCrowdIsEnteredInFewCallsAndRefusedBeyondWhatMayWait() {
    List<Future<Registered>> all =
        IntStream.range(20, 20 + MOST_WAITING + 2)
            .mapToObj(i -> entries.enter(List.of(session(i))))
            .toList();
    assertThat(all.getLast().failed()).isTrue();
    while (!underWay.isEmpty()) {
      answer();
    }
    assertThat(all.subList(0, MOST_WAITING + 1)).allMatch(Future::succeeded);
    assertThat(calls).hasSize(1 + MOST_WAITING / 500);
  }
}
