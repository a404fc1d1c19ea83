package io.confab.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.config.Rate;
import io.confab.limit.Limits;
import io.confab.metrics.Meters;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeSent;
import io.confab.testing.TestConfig;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MessageRequestsTest {
  private final MessageRequests requests =
      new MessageRequests(bus(), limits(), new Meters(), seats());

  /// Stores whatever comes.
  private static Requests bus() {
    return new Requests() {
      @Override
      @SuppressWarnings("unchecked") // the answer of the one command that comes
      public <R extends BusMessage> Future<R> request(Command<R> command) {
        EnvelopeDraft draft = ((WriteCommand.Put) command).draft();
        return (Future<R>)
            Future.succeededFuture(
                new EnvelopeSent(draft.roomId(), draft.clientId(), null, 1_000, false, null));
      }
    };
  }

  private static Limits limits() {
    return new Limits(
        TestConfig.rates(Map.of("roomSends", new Rate(1, Duration.ofMinutes(1), 2))),
        (_, _, _, _) -> Future.failedFuture("alone"),
        _ -> {},
        () -> 0);
  }

  private static Seating seats() {
    return Seating.asking(bus());
  }

  private Future<EnvelopeSent> put(@Nullable RoomId room, String id) {
    return requests.put(
        new EnvelopeDraft(
            room,
            new Caller(new AccountId(1), new DeviceId("d")),
            new ClientId(id),
            null,
            true,
            null,
            "p",
            List.of()));
  }

  @Test
  void whatHasNoRoomSharesNoLimitOfARoom() {
    for (String id : List.of("a", "b", "c", "d")) {
      assertThat(put(null, id).succeeded()).isTrue();
    }
    RoomId room = new RoomId(7);
    put(room, "a");
    put(room, "b");
    assertThat(catchThrowableOfType(Refusal.class, () -> put(room, "c")).code())
        .isEqualTo(ErrorCode.RATE_LIMITED);
  }
}
