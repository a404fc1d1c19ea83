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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SessionEntriesTest {
  /// Whose server is away.
  private static final AccountId AWAY = new AccountId(13);

  /// What was asked of the registry, in order.
  private final List<String> calls = new ArrayList<>();

  private final List<Runnable> turns = new ArrayList<>();
  private final SessionEntries entries =
      new SessionEntries(this::register, this::unregister, turns::add);

  /// All devices had another session.
  private Map<AccountId, Future<List<Newest>>> register(Collection<Connection> sessions) {
    calls.add("enter " + names(sessions));
    Future<List<Newest>> together =
        Future.succeededFuture(sessions.stream().map(SessionEntriesTest::newest).toList());
    Map<AccountId, Future<List<Newest>>> answers = new HashMap<>();
    for (Connection each : sessions) {
      AccountId account = each.account();
      answers.put(account, account.equals(AWAY) ? Future.failedFuture("away") : together);
    }
    return answers;
  }

  private Future<Void> unregister(Collection<Connection> sessions) {
    calls.add("remove " + names(sessions));
    return Future.succeededFuture();
  }

  private static String names(Collection<Connection> sessions) {
    return sessions.stream().map(each -> each.session().value()).collect(Collectors.joining(" "));
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

  private void turn() {
    List<Runnable> all = List.copyOf(turns);
    turns.clear();
    all.forEach(Runnable::run);
  }

  @Test
  void whoComesInOneTurnIsEnteredTogetherAndToldOfItsOwnAlone() {
    Future<Registered> one = entries.enter(List.of(session(1)));
    Future<Registered> others = entries.enter(List.of(session(2), session(3)));
    Future<Registered> failing = entries.enter(List.of(session(13)));
    assertThat(calls).isEmpty();
    turn();
    assertThat(calls).containsExactly("enter s1 s2 s3 s13");
    assertThat(one.result().contested()).containsExactly(newest(session(1)));
    assertThat(others.result().contested()).containsExactly(newest(session(2)), newest(session(3)));
    assertThat(failing.cause()).hasMessage("away");
    turn();
    assertThat(calls).hasSize(1);
  }

  @Test
  void whoGoesIsRemovedBeforeOthersComeAndNotEnteredAnyMore() {
    Future<Registered> brief = entries.enter(List.of(session(1)));
    Future<Void> first = entries.remove(session(1));
    entries.enter(List.of(session(2)));
    Future<Void> second = entries.remove(session(3));
    turn();
    assertThat(calls).containsExactly("remove s1 s3", "enter s2");
    assertThat(brief.result().contested()).isEmpty();
    assertThat(List.of(first, second)).allMatch(Future::succeeded);
    entries.remove(session(2));
    turn();
    assertThat(calls).last().isEqualTo("remove s2");
  }
}
