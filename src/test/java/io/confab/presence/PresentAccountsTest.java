package io.confab.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.presence.PresenceWord.Kind;
import io.confab.protocol.AccountId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.Refusal;
import io.confab.protocol.SessionId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PresentAccountsTest {
  private static final AccountId ANN = new AccountId(1);
  private static final SessionId PHONE = new SessionId("phone");
  private static final SessionId WEB = new SessionId("web");

  private long now;
  private long since = 1;
  private boolean away;

  /// So many more calls fail.
  private int failing;

  private final List<String> said = new ArrayList<>();
  private final Set<AccountId> saidOf = new HashSet<>();

  /// What happens once while Redis is told something.
  private Runnable meanwhile = () -> {};

  private final PresentAccounts accounts =
      new PresentAccounts(new PresenceShards(1), this::say, () -> now);

  private Future<Long> say(int shard, long known, List<PresenceWord> words) {
    if (away || failing > 0) {
      failing = Math.max(0, failing - 1);
      return Future.failedFuture(Refusal.unavailable("Redis is away"));
    }
    words.forEach(word -> said.add(text(known, word)));
    words.forEach(word -> saidOf.add(word.account()));
    Runnable now = meanwhile;
    meanwhile = () -> {};
    now.run();
    return Future.succeededFuture(since);
  }

  private static String text(long known, PresenceWord word) {
    String status = word.kind().wire() + " " + word.status().wire();
    return known <= 1 ? status : status + " since " + known;
  }

  private List<String> said() {
    List<String> all = List.copyOf(said);
    said.clear();
    return all;
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      now += Duration.ofSeconds(1).toNanos();
      accounts.tick();
    }
  }

  @Test
  void theMostPresentSessionCounts() {
    accounts.opened(ANN, PHONE);
    accounts.sayChanges();
    assertThat(said()).containsExactly("change online");
    accounts.opened(ANN, WEB);
    accounts.shows(ANN, WEB, PresenceStatus.AWAY);
    accounts.sayChanges();
    assertThat(said()).isEmpty();
    accounts.closed(ANN, PHONE, true);
    accounts.sayChanges();
    assertThat(said()).containsExactly("change away");
    accounts.closed(ANN, WEB, true);
    accounts.sayChanges();
    assertThat(said()).containsExactly("change offline");
    pass(30);
    assertThat(said()).isEmpty();
    assertThat(accounts.count()).isZero();
  }

  @Test
  void aLostSessionCountsForFiveSeconds() {
    accounts.opened(ANN, PHONE);
    pass(1);
    accounts.closed(ANN, PHONE, false);
    pass(3);
    accounts.opened(ANN, WEB);
    pass(10);
    assertThat(said()).doesNotContain("change offline", "change away");
    accounts.closed(ANN, WEB, false);
    pass(4);
    assertThat(said()).doesNotContain("change offline");
    pass(2);
    assertThat(said()).endsWith("change offline");
  }

  @Test
  void someAccountIsSaidAgainEachSecondAndEachWithinTen() {
    for (int i = 0; i < 100; i++) {
      accounts.opened(new AccountId(i), PHONE);
    }
    pass(1);
    said();
    saidOf.clear();
    for (int second = 1; second <= 10; second++) {
      pass(1);
      assertThat(said()).isNotEmpty().hasSizeLessThan(100).containsOnly("beat online");
    }
    assertThat(saidOf).hasSize(100);
  }

  @Test
  void whatCouldNotBeSaidIsSaidLater() {
    away = true;
    accounts.opened(ANN, PHONE);
    pass(3);
    away = false;
    pass(1);
    assertThat(said()).containsExactly("change online");
  }

  @Test
  void whoLeftWhileNobodyCouldBeToldIsForgottenAfterAWhile() {
    accounts.opened(ANN, PHONE);
    pass(1);
    away = true;
    accounts.closed(ANN, PHONE, true);
    pass(35);
    assertThat(accounts.count()).isZero();
    away = false;
    said();
    pass(3);
    assertThat(said()).isEmpty();
  }

  @Test
  void whoLeavesWhileTheDataBeginsAnewIsSaidAsAChange() {
    since = 7;
    accounts.opened(ANN, PHONE);
    accounts.opened(new AccountId(2), PHONE);
    pass(1);
    since = 8;
    said();
    meanwhile = () -> accounts.closed(ANN, PHONE, true);
    pass(1);
    assertThat(said())
        .anyMatch(word -> word.startsWith("change offline"))
        .noneMatch(word -> word.startsWith("beat offline"));
  }

  @Test
  void afterTheLastWordOfTheNodeNothingIsSaid() {
    accounts.opened(ANN, PHONE);
    pass(1);
    said();
    accounts.close();
    assertThat(said()).containsExactly("lapse online");
    accounts.closed(ANN, PHONE, true);
    pass(20);
    assertThat(said()).isEmpty();
  }

  @Test
  void whereTheDataBeganAnewAllIsSaidAgainUnderTheOldBeginning() {
    since = 7;
    accounts.opened(ANN, PHONE);
    accounts.opened(new AccountId(2), PHONE);
    pass(1);
    since = 8;
    said();
    pass(1);
    assertThat(said()).contains("beat online since 7").doesNotContain("beat online since 8");
    pass(1);
    assertThat(said()).containsOnly("beat online since 8");
  }

  @Test
  void whatCouldNotBeSaidUnderTheOldBeginningIsSaidUnderItBeforeAnythingElse() {
    since = 7;
    for (int i = 0; i < 3 * RedisPresence.BATCH; i++) {
      accounts.opened(new AccountId(i), PHONE);
    }
    pass(1);
    since = 8;
    said();
    saidOf.clear();
    meanwhile = () -> failing = 2;
    pass(1);
    accounts.opened(new AccountId(-1), WEB);
    pass(2);
    assertThat(failing).isZero();
    List<String> all = said();
    assertThat(all.lastIndexOf("beat online since 7"))
        .isLessThan(all.indexOf("change online since 8"));
    assertThat(all.subList(0, all.indexOf("change online since 8")))
        .containsOnly("beat online since 7")
        .hasSizeGreaterThanOrEqualTo(3 * RedisPresence.BATCH);
    assertThat(saidOf).hasSize(3 * RedisPresence.BATCH + 1);
  }

  @Test
  void aChangeWhileACallIsUnderWayIsSaidAfterIt() {
    List<Promise<Long>> calls = new ArrayList<>();
    List<PresenceWord> words = new ArrayList<>();
    PresentAccounts slow =
        new PresentAccounts(
            new PresenceShards(1),
            (_, _, some) -> {
              words.addAll(some);
              calls.add(Promise.promise());
              return calls.getLast().future();
            },
            () -> now);
    slow.opened(ANN, PHONE);
    slow.sayChanges();
    slow.closed(ANN, PHONE, true);
    slow.sayChanges();
    assertThat(words).hasSize(1);
    calls.getFirst().complete(1L);
    assertThat(words)
        .containsExactly(
            new PresenceWord(ANN, Kind.CHANGE, PresenceStatus.ONLINE),
            new PresenceWord(ANN, Kind.CHANGE, PresenceStatus.OFFLINE));
  }

  @Test
  void theLastWordLapses() {
    accounts.opened(ANN, PHONE);
    pass(1);
    said();
    accounts.close();
    assertThat(said()).containsExactly("lapse online");
  }
}
