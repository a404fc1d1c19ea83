package io.confab.queue;

import io.confab.feed.Announcer;
import io.confab.feed.RoomSignal;
import io.confab.postgres.BatchedRead;
import io.confab.protocol.AccountId;
import io.confab.protocol.Json;
import io.confab.protocol.ServerFrame;
import io.confab.queue.QueueStore.Run;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the members of sealed rooms what somebody received, if that is for them to know. Whoever
/// misses it reads what became of the messages. For any thread.
final class DeliveryTelling {
  private static final Logger LOG = LoggerFactory.getLogger(DeliveryTelling.class);

  /// Runs that wait to be told, 100 bytes each: 1 MB. Those beyond are not told.
  private static final int MOST_WAITING = 10_000;

  private static final int AT_ONCE = 200;

  private final Announcer announcer;
  private final BatchedRead<Run, Map<Run, Set<AccountId>>> audiences;

  /// @param audience as of [QueueStore#audience]
  DeliveryTelling(
      Function<List<Run>, Future<Map<Run, Set<AccountId>>>> audience, Announcer announcer) {
    this.announcer = announcer;
    this.audiences = new BatchedRead<>(MOST_WAITING, AT_ONCE, audience);
  }

  void tell(Set<Run> runs) {
    audiences
        .read(runs)
        .onSuccess(found -> runs.stream().filter(found::containsKey).forEach(r -> tell(r, found)))
        .onFailure(failure -> LOG.debug("Nobody was told of what arrived", failure));
  }

  private void tell(Run run, Map<Run, Set<AccountId>> audience) {
    announcer.announce(
        new RoomSignal(
            run.room(),
            run.account(),
            null,
            audience.getOrDefault(run, Set.of()),
            Json.bytes(new ServerFrame.Received(run.room(), run.account(), run.from(), run.to()))));
  }
}
