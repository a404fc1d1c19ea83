package io.confab.client.sealedroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreshnessTest {
  private static final AccountId ANN = new AccountId(17);
  private static final AccountId BOB = new AccountId(18);
  private static final List<AccountId> BOTH = List.of(ANN, BOB);

  private final Freshness freshness = new Freshness();

  private void learn(long version) {
    BOTH.forEach(account -> freshness.learned(account, version, freshness.round()));
  }

  @Test
  void whoseVersionIsKnownIsNotAskedForAgain() {
    assertThat(freshness.unknown(BOTH)).isEqualTo(BOTH);
    learn(3);
    freshness.changed(ANN, 3);
    freshness.changed(BOB, 2);
    assertThat(freshness.unknown(BOTH)).isEmpty();
  }

  @Test
  void whoChangedOrIsDoubtedIsAskedForAgain() {
    learn(3);
    freshness.changed(ANN, 4);
    assertThat(freshness.unknown(BOTH)).containsExactly(ANN);
    freshness.doubt(List.of(BOB));
    assertThat(freshness.unknown(BOTH)).isEqualTo(BOTH);
  }

  @Test
  void anAnswerThatIsOlderThanWhatWasToldMeanwhileCountsForNothing() {
    freshness.changed(ANN, 4);
    learn(3);
    assertThat(freshness.unknown(BOTH)).containsExactly(ANN);
    learn(4);
    assertThat(freshness.unknown(BOTH)).isEmpty();
  }

  @Test
  void anAnswerToWhatWasAskedOnTheLostConnectionCountsForNothing() {
    int asked = freshness.round();
    freshness.doubtAll();
    freshness.learned(ANN, 3, asked);
    freshness.absent(BOB, asked);
    assertThat(freshness.unknown(BOTH)).isEqualTo(BOTH);
    freshness.learned(ANN, 3, freshness.round());
    freshness.absent(BOB, freshness.round());
    assertThat(freshness.unknown(BOTH)).isEmpty();
  }

  @Test
  void anAnswerToWhatWasAskedBeforeADoubtCountsForNothing() {
    int asked = freshness.round();
    freshness.doubt(List.of(ANN));
    freshness.learned(ANN, 3, asked);
    assertThat(freshness.unknown(BOTH)).contains(ANN);
  }

  @Test
  void versionsOfADatabaseThatWasRestoredAreTaken() {
    learn(7);
    freshness.doubtAll();
    learn(3);
    assertThat(freshness.unknown(BOTH)).isEmpty();
    freshness.changed(ANN, 4);
    assertThat(freshness.unknown(BOTH)).containsExactly(ANN);
  }
}
