package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ApiException;
import io.confab.client.sealed.KnownSeal;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.PlainScreen;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SealedOpeningTest {
  private static final RoomId TEA = new RoomId(1);
  private static final RoomSeal FROM_THREE = new RoomSeal("olm1", new Seq(3));

  private final StringWriter out = new StringWriter();
  private final PlainScreen screen = new PlainScreen(new PrintWriter(out), false);
  private final ChatQueue queue = new ChatQueue();
  private final Map<RoomId, KnownSeal> known = new HashMap<>();
  private final Rooms rooms = new Rooms();
  private boolean broken;
  private final SealedOpening opening =
      new SealedOpening(
          rooms,
          screen,
          new SealedNotices(screen, new AccountId(10), _ -> "ben", ""),
          new SealedStates(rooms, new Receipts(), queue, screen, _ -> "ben"),
          new SealedStatus(
              rooms, _ -> Future.succeededFuture(List.of()), new AccountId(10), queue, screen));

  private final class Rooms implements SealedAccess {
    @Override
    public Future<Void> sealed(RoomId room, KnownSeal seal) {
      known.put(room, seal);
      return Future.succeededFuture();
    }

    @Override
    public Future<Optional<KnownSeal>> seal(RoomId room) {
      return broken
          ? Future.failedFuture(ApiException.local("store_failed", "the disk"))
          : Future.succeededFuture(Optional.ofNullable(known.get(room)));
    }

    @Override
    public Future<List<SealedLine>> lines(RoomId room, @Nullable Seq before, int most) {
      return Future.succeededFuture(List.of());
    }
  }

  @Test
  void aRoomThatWasSealedOnceStaysSoWithoutALineOfIt() {
    opening.open(TEA, FROM_THREE, List.of(), new Seq(4));

    SealedPage page = opening.page(TEA, Optional.empty());
    assertThat(page.seal()).isEqualTo(FROM_THREE);
    assertThat(out.toString()).contains("⚠ the server says that this room is not sealed");
  }

  @Test
  void fromWhereARoomIsSealedIsNotRaised() {
    known.put(TEA, FROM_THREE.known());

    RoomSeal raised = new RoomSeal("olm1", new Seq(1_000_000));
    assertThat(opening.page(TEA, Optional.of(raised)).seal()).isEqualTo(FROM_THREE);
    RoomSeal earlier = new RoomSeal("olm1", new Seq(2));
    assertThat(opening.page(TEA, Optional.of(earlier)).seal()).isEqualTo(earlier);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void whereNothingIsKnownTheServerIsBelieved() {
    assertThat(opening.page(TEA, Optional.empty()).seal()).isNull();
    assertThat(opening.page(TEA, Optional.of(FROM_THREE)).seal()).isEqualTo(FROM_THREE);
    broken = true;
    assertThat(opening.page(TEA, Optional.of(FROM_THREE)).seal()).isEqualTo(FROM_THREE);
    assertThat(opening.page(TEA, Optional.empty()).seal()).isNull();
  }

  @Test
  void ofASuiteThatIsNotKnownNothingIsRemembered() {
    opening.open(TEA, new RoomSeal("later", new Seq(3)), List.of(), new Seq(4));
    assertThat(known).isEmpty();
  }
}
