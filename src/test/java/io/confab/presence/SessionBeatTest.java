package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Fence;
import io.confab.presence.PresenceCommand.Lost;
import io.confab.presence.PresenceCommand.Refresh;
import io.confab.presence.PresenceCommand.Registration;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.NodeId;
import io.confab.protocol.SessionId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionBeatTest {
  private static final int ROUND = 30;

  private final List<Refresh> refreshes = new ArrayList<>();
  private final List<Connection> lost = new ArrayList<>();
  private Future<Lost> answer = Future.succeededFuture(new Lost(List.of()));
  private final SessionBeat beat =
      new SessionBeat(
          refresh -> {
            refreshes.add(refresh);
            return answer;
          },
          lost::add);

  @Test
  void everySessionIsRefreshedOnceARoundInBatchesOfAtMostFiveHundred() {
    for (int i = 0; i < 20_000; i++) {
      beat.add(registration(i));
    }
    round();
    assertThat(refreshes).allMatch(refresh -> refresh.registrations().size() <= 500);
    assertThat(refreshes.stream().flatMap(refresh -> refresh.registrations().stream()))
        .hasSize(20_000)
        .doesNotHaveDuplicates();
  }

  @Test
  void aSessionThatEndedIsNotRefreshed() {
    beat.add(registration(1));
    beat.remove(registration(1).connection());
    round();
    assertThat(refreshes).isEmpty();
  }

  @Test
  void aLostSessionIsToldOnceAndKeptNoLonger() {
    beat.add(registration(1));
    answer = Future.succeededFuture(new Lost(List.of(registration(1).connection())));
    round();
    round();
    assertThat(lost).containsExactly(registration(1).connection());
    assertThat(refreshes).hasSize(1);
  }

  @Test
  void aSessionThatEndedWhileItWasAskedForIsNotToldAsLost() {
    Promise<Lost> late = Promise.promise();
    answer = late.future();
    beat.add(registration(1));
    round();
    beat.remove(registration(1).connection());
    late.complete(new Lost(List.of(registration(1).connection())));
    assertThat(lost).isEmpty();
  }

  @Test
  void nothingPilesUpWhileTheRegistryIsSilentAndAFailureIsFollowedByTheNextRound() {
    Promise<Lost> silent = Promise.promise();
    answer = silent.future();
    beat.add(registration(1));
    round();
    round();
    assertThat(refreshes).hasSize(1);
    silent.fail("time-out");
    round();
    assertThat(refreshes).hasSize(2);
  }

  private void round() {
    for (int i = 0; i < ROUND; i++) {
      beat.tick();
    }
  }

  private static Registration registration(int i) {
    return new Registration(
        new Connection(
            new AccountId(i), new DeviceId("web"), new NodeId("n"), new SessionId("s" + i)),
        new Fence("incarnation", 1));
  }
}
