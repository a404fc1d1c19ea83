package io.confab.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.account.AccountCommand.Block;
import io.confab.account.AccountCommand.ChangeMe;
import io.confab.account.AccountCommand.MeChange;
import io.confab.account.AccountCommand.Unblock;
import io.confab.feed.AccountSignal.VisibilityChanged;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.AccountId;
import io.confab.protocol.VisibleTo;
import io.confab.testing.TestDatabase;
import io.confab.testing.proxy.LostCommits;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Who watches an account hears that it may see more of it, or less, whatever becomes of the answer
/// to the one who changed that.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class VisibilityIT {
  private static final AccountId ANN = new AccountId(1);
  private static final AccountId BOB = new AccountId(2);
  private static final VisibilityChanged TOLD = new VisibilityChanged(ANN);

  private final TestDatabase database = TestDatabase.create();
  private final LostCommits commits = new LostCommits();
  private final TcpProxy proxy;
  private final AccountNode node;

  VisibilityIT(Vertx vertx) {
    PostgresUrl url = database.nodeUrl();
    this.proxy = TcpProxy.before("postgresql://" + url.host() + ":" + url.port(), commits);
    this.node =
        new AccountNode(
            vertx,
            new PostgresUrl("127.0.0.1", proxy.port(), url.database(), url.user(), url.password()));
  }

  @BeforeEach
  void signUp() {
    database.execute(
        """
        INSERT INTO account (account_id, handle, display_name)
          VALUES (1, 'ann', 'Ann'), (2, 'bob', 'Bob')
        """);
  }

  @AfterEach
  void close() {
    node.close();
    proxy.close();
    database.close();
  }

  private static ChangeMe hide() {
    return new ChangeMe(ANN, new MeChange(null, null, VisibleTo.NOBODY, null, null), null);
  }

  static Stream<AccountCommand<?>> changes() {
    return Stream.of(hide(), new Block(ANN, BOB), new Unblock(ANN, BOB));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void isToldAlsoWhenTheAnswerIsLost(AccountCommand<?> change) {
    commits.loseNext("UPDATE account|INTO block|FROM block");
    assertThatThrownBy(() -> node.get(change)).isInstanceOf(IOException.class);
    assertThat(commits.lost()).isOne();
    await().until(() -> node.announcer.signals.contains(TOLD));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void isToldAgainWhenTheCallIsRepeated(AccountCommand<?> change) {
    node.get(change);
    assertThat(node.announcer.signals).containsOnly(TOLD);
    node.announcer.signals.clear();
    node.get(change);
    assertThat(node.announcer.signals).containsOnly(TOLD);
  }

  @Test
  void whatIsNotAboutSightIsNotTold() {
    node.get(new ChangeMe(ANN, new MeChange(null, null, null, null, true), null));
    assertThat(node.announcer.signals).isEmpty();
  }
}
