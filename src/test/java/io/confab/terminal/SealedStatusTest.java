package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.Member;
import io.confab.client.sealed.Trust;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.screen.PlainScreen;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SealedStatusTest {
  private static final RoomId TEA = new RoomId(1);
  private static final AccountId ADA = new AccountId(10);
  private static final Map<Trust, AccountId> PEOPLE = new EnumMap<>(Trust.class);

  private final StringWriter out = new StringWriter();
  private final ChatQueue queue = new ChatQueue();
  private final Deque<Promise<List<Member>>> asked = new ArrayDeque<>();
  private final SealedStatus status =
      new SealedStatus(
          new Rooms(), this::members, ADA, queue, new PlainScreen(new PrintWriter(out), false));

  static {
    Stream.of(Trust.values())
        .forEach(trust -> PEOPLE.put(trust, new AccountId(20 + PEOPLE.size())));
  }

  private static final class Rooms implements SealedAccess {
    @Override
    public Future<Trust> trust(AccountId account) {
      return PEOPLE.entrySet().stream()
          .filter(one -> one.getValue().equals(account))
          .map(Map.Entry::getKey)
          .findFirst()
          .map(Future::succeededFuture)
          .orElseThrow();
    }
  }

  private Future<List<Member>> members(RoomId room) {
    assertThat(room).isEqualTo(TEA);
    Promise<List<Member>> answer = Promise.promise();
    asked.add(answer);
    return answer.future();
  }

  private void answer(Trust... others) {
    asked
        .remove()
        .complete(
            Stream.concat(Stream.of(ADA), Stream.of(others).map(PEOPLE::get))
                .map(who -> new Member(who, "", "", "member", 0))
                .toList());
    queue.runAll();
  }

  @Test
  void aRoomIsVerifiedWhenAllOthersAre() {
    assertThat(SealedStatus.text(List.of(Trust.VERIFIED, Trust.VERIFIED)))
        .isEqualTo("sealed, verified");
    assertThat(SealedStatus.text(List.of(Trust.VERIFIED, Trust.PINNED)))
        .isEqualTo("sealed, not verified");
    assertThat(SealedStatus.text(List.of())).isEqualTo("sealed, not verified");
    assertThat(SealedStatus.text(List.of(Trust.VERIFIED, Trust.CHANGED, Trust.NONE)))
        .isEqualTo("sealed, KEYS CHANGED");
  }

  @Test
  void itIsAskedOnceAtATimeAndOnceMoreForAllThatChangedMeanwhile() {
    status.opened(TEA);
    status.refresh();
    status.refresh();
    assertThat(asked).hasSize(1);
    answer(Trust.VERIFIED);
    assertThat(status.text(TEA)).contains("sealed");

    assertThat(asked).hasSize(1);
    answer(Trust.VERIFIED, Trust.PINNED);
    assertThat(status.text(TEA)).contains("sealed, not verified");
    assertThat(asked).isEmpty();
  }

  @Test
  void aQuestionThatFailsIsNoReasonNotToAskAgain() {
    status.opened(TEA);
    asked.remove().fail("offline");
    queue.runAll();
    status.refresh();
    answer(Trust.VERIFIED);

    assertThat(status.text(TEA)).contains("sealed, verified");
    status.closed();
    assertThat(status.text(TEA)).isEmpty();
  }

  @Test
  void whereNoStatusIsShownALineSaysItOnce() {
    status.opened(TEA);
    answer(Trust.VERIFIED);
    status.refresh();
    answer(Trust.VERIFIED);
    status.refresh();
    answer(Trust.CHANGED);

    assertThat(out.toString().lines())
        .containsExactly("* sealed, verified", "* sealed, KEYS CHANGED");
  }
}
