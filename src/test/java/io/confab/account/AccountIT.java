package io.confab.account;

import static io.confab.testing.Futures.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.FindByHandle;
import io.confab.account.AccountCommand.FindEnded;
import io.confab.account.AccountCommand.IssueTicket;
import io.confab.account.AccountCommand.ReadMe;
import io.confab.account.AccountCommand.RedeemTicket;
import io.confab.account.AccountCommand.Refresh;
import io.confab.account.AccountCommand.SignOut;
import io.confab.account.AccountCommand.SignUp;
import io.confab.account.AccountCommand.Tokens;
import io.confab.feed.AccountSignal;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Secret;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Accounts on two nodes and one real database.
@ExtendWith(VertxExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class AccountIT {
  private static final DeviceInfo PHONE = new DeviceInfo(new DeviceId("phone"), "Phone", "test");

  private Vertx vertx;
  private TestDatabase database;
  private AccountNode node;
  private AccountNode other;
  private int count;
  private String handle = "";

  @BeforeAll
  void open(Vertx vertx) {
    this.vertx = vertx;
    database = TestDatabase.create();
  }

  @BeforeEach
  void start() {
    node = new AccountNode(vertx, database.url());
    other = new AccountNode(vertx, database.url());
    handle = "user" + ++count;
  }

  @AfterEach
  void stop() {
    node.close();
    other.close();
  }

  @AfterAll
  void close() {
    database.close();
  }

  private static Caller caller(Tokens tokens) {
    return new Caller(tokens.accountId(), tokens.deviceId());
  }

  private ErrorCode accessRefusal(AccountNode at, Tokens tokens) {
    return refusal(at.authenticate(tokens.accessToken()));
  }

  @Test
  void aHandleIsFoldedAndTakenOnce() {
    var account = node.signUp(handle.toUpperCase(Locale.ROOT));
    assertThat(account.handle()).isEqualTo(handle);
    assertThat(account.displayName()).isEqualTo(handle);
    assertThat(refusal(other.ask(new SignUp(handle, new HashedPassword("$argon2id$"), null))))
        .isEqualTo(ErrorCode.CONFLICT);
    assertThat(other.get(new ReadMe(account.accountId())).me().handle()).isEqualTo(handle);
    assertThat(other.get(new FindByHandle(handle)).accounts()).containsExactly(account);
    assertThat(other.get(new FindByHandle("no-such")).accounts()).isEmpty();
  }

  @Test
  void aTokenOfOneNodeIsGoodOnTheOther() {
    node.signUp(handle);
    Tokens tokens = node.signIn(handle, null);
    assertThat(Futures.get(other.authenticate(tokens.accessToken())).caller())
        .isEqualTo(caller(tokens));
    assertThat(database.count("SELECT count(*) FROM signing_key")).isEqualTo(1);
  }

  @Test
  void nodesThatMakeTheFirstKeyAtOnceAgreeOnIt() {
    node.signUp(handle);
    database.execute("DELETE FROM signing_key");
    var first = node.trySignIn(handle, new Secret("correct horse"), PHONE);
    var second = other.trySignIn(handle, new Secret("correct horse"), null);
    Tokens fromOther = Futures.get(second);
    Futures.get(first);
    assertThat(Futures.get(node.authenticate(fromOther.accessToken())).caller())
        .isEqualTo(caller(fromOther));
    assertThat(database.count("SELECT count(*) FROM signing_key")).isEqualTo(1);
  }

  @Test
  void aRotatedKeyIsLearnedWhenATokenNamesIt() {
    node.signUp(handle);
    node.signIn(handle, null);
    database.execute("INSERT INTO signing_key VALUES (2, sha256('second'))");
    Tokens tokens = other.signIn(handle, null);
    assertThat(Futures.get(node.authenticate(tokens.accessToken())).caller())
        .isEqualTo(caller(tokens));
    database.execute("DELETE FROM signing_key WHERE key_id = 2");
  }

  @Test
  void wrongPasswordsAndUnknownHandlesAreRefusedAlike() {
    node.signUp(handle);
    assertThat(refusal(node.trySignIn(handle, new Secret("wrong horse"), null)))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refusal(node.trySignIn("nobody", new Secret("wrong horse"), null)))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
  }

  @Test
  void everyPasswordCostsOneHashWhetherItsHandleIsKnownOrNot() {
    node.signUp(handle);
    Futures.get(node.lifecycle.suspend(node.signUp(handle + "s").accountId()));
    Futures.get(node.bots.make(handle + "b", null));
    long known = hashing(handle, "wrong horse");

    for (String other : List.of("nobody", handle + "s", handle + "b")) {
      assertThat(hashing(other, "wrong horse")).isBetween(known / 2, known * 2);
    }
  }

  /// What a refused sign-in allocates on the threads that hash: each hash fills its memory anew.
  private long hashing(String name, String password) {
    long before = allocatedByHashing();
    assertThat(refusal(node.trySignIn(name, new Secret(password), null)))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    return allocatedByHashing() - before;
  }

  private static long allocatedByHashing() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
        .filter(thread -> thread != null && thread.getThreadName().startsWith("password-"))
        .mapToLong(thread -> threads.getThreadAllocatedBytes(thread.getThreadId()))
        .sum();
  }

  @Test
  void anAccessTokenExpires() {
    node.signUp(handle);
    Tokens tokens = node.signIn(handle, null);
    node.now = node.now.plus(Duration.ofMinutes(15)).minusSeconds(1);
    Futures.get(node.authenticate(tokens.accessToken()));
    node.now = node.now.plusSeconds(1);
    assertThat(accessRefusal(node, tokens)).isEqualTo(ErrorCode.TOKEN_EXPIRED);
  }

  @Test
  void signingOutEndsAllTokensAtOnce() {
    node.signUp(handle);
    Tokens tokens = node.signIn(handle, PHONE);
    var signIn = Futures.get(node.authenticate(tokens.accessToken()));
    var ticket = node.get(new IssueTicket(caller(tokens)));
    node.get(new SignOut(signIn, null));
    assertThat(accessRefusal(other, tokens)).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refusal(other.ask(new Refresh(tokens.refreshToken(), AccountNode.HOME))))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refusal(other.ask(new RedeemTicket(ticket.ticket()))))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refusal(other.ask(new IssueTicket(caller(tokens)))))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(other.get(new FindEnded(List.of(signIn))).signIns()).containsExactly(signIn);
    assertThat(node.announcer.signals)
        .containsOnly(new AccountSignal.Revoked(tokens.accountId(), tokens.deviceId()));
  }

  @Test
  void aSignOutThatComesLateEndsNoSignInThatTheDeviceBeganSince() {
    node.signUp(handle);
    Tokens old = node.signIn(handle, PHONE);
    var signIn = Futures.get(node.authenticate(old.accessToken()));
    Tokens fresh = other.signIn(handle, PHONE);
    node.get(new SignOut(signIn, null));
    Futures.get(node.authenticate(fresh.accessToken()));
    other.get(new Refresh(fresh.refreshToken(), AccountNode.HOME));
  }

  /// It keeps one token for all that is signed in by it, and may get one while it signs out.
  @Test
  void aBrowserThatSignsOutKeepsItsTokenWhereThatIsOfAnotherSignIn() {
    node.signUp(handle);
    Tokens old = node.signIn(handle, PHONE);
    Tokens desk = node.signIn(handle, null);
    var signIn = Futures.get(node.authenticate(old.accessToken()));
    assertThat(isOver(signIn, desk))
        .as("signed out on the phone, with the token of the desk")
        .isFalse();
    assertThat(isOver(signIn, old)).as("the phone has ended before").isTrue();

    Tokens phone = node.signIn(handle, PHONE);
    var late = Futures.get(node.authenticate(phone.accessToken()));
    Tokens fresh = other.signIn(handle, PHONE);
    assertThat(isOver(late, phone)).as("it may have got another one").isFalse();
    assertThat(isOver(late, fresh)).isFalse();
    assertThat(isOver(Futures.get(node.authenticate(fresh.accessToken())), fresh)).isTrue();
  }

  private boolean isOver(Authenticated signIn, Tokens kept) {
    return node.get(new SignOut(signIn, kept.refreshToken())).over();
  }

  @Test
  void aNewSignInOfTheDeviceEndsTheOldOneOnly() {
    node.signUp(handle);
    Tokens desk = node.signIn(handle, null);
    Tokens old = node.signIn(handle, PHONE);
    Tokens fresh = other.signIn(handle, PHONE);
    assertThat(accessRefusal(node, old)).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refusal(node.ask(new Refresh(old.refreshToken(), AccountNode.HOME))))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    Futures.get(node.authenticate(fresh.accessToken()));
    Futures.get(node.authenticate(desk.accessToken()));
    other.get(new Refresh(fresh.refreshToken(), AccountNode.HOME));
  }

  @Test
  void aSpentRefreshTokenYieldsTheSameSuccessorAsOftenAsItComes() {
    node.signUp(handle);
    Tokens first = node.signIn(handle, PHONE);
    Tokens second = node.refresh(first);
    for (int i = 0; i < 5; i++) {
      Tokens again = (i % 2 == 0 ? other : node).refresh(first);
      assertThat(again.refreshToken()).isEqualTo(second.refreshToken());
      Futures.get(node.authenticate(again.accessToken()));
    }
    node.get(new Refresh(second.refreshToken(), AccountNode.HOME));
    assertThat(node.announcer.signals).isEmpty();
  }

  @Test
  void aSpentTokenRevokesTheFamilyWhenItsSuccessorWasUsed() {
    node.signUp(handle);
    Tokens first = node.signIn(handle, PHONE);
    Tokens second = node.refresh(first);
    Tokens third = node.refresh(second);
    assertThat(other.get(new Refresh(first.refreshToken(), AccountNode.HOME)))
        .isEqualTo(new AccountCommand.Replayed(first.accountId()));
    assertThat(refusal(node.ask(new Refresh(third.refreshToken(), AccountNode.HOME))))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(accessRefusal(other, third)).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(other.announcer.signals)
        .containsOnly(new AccountSignal.Revoked(first.accountId(), first.deviceId()));
  }

  @Test
  void aSpentTokenRevokesTheFamilyAfterAMinute() {
    node.signUp(handle);
    Tokens first = node.signIn(handle, PHONE);
    Tokens second = node.refresh(first);
    database.execute("UPDATE refresh_token SET spent_at = spent_at - interval '61 s'");
    assertThat(node.get(new Refresh(first.refreshToken(), AccountNode.HOME)))
        .isEqualTo(new AccountCommand.Replayed(first.accountId()));
    assertThat(accessRefusal(node, second)).isEqualTo(ErrorCode.UNAUTHORIZED);
  }

  @Test
  void refreshesAtOnceOnTwoNodesGetTheSameSuccessor() {
    node.signUp(handle);
    Tokens tokens = node.signIn(handle, PHONE);
    for (int round = 0; round < 25; round++) {
      List<Future<AccountCommand.Refreshed>> tries = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        tries.add(
            (i % 2 == 0 ? node : other).ask(new Refresh(tokens.refreshToken(), AccountNode.HOME)));
      }
      Tokens next = (Tokens) Futures.get(tries.getFirst());
      for (Future<AccountCommand.Refreshed> one : tries) {
        assertThat(((Tokens) Futures.get(one)).refreshToken()).isEqualTo(next.refreshToken());
      }
      tokens = next;
    }
  }

  @Test
  void aTicketIsGoodOnce() {
    node.signUp(handle);
    Tokens tokens = node.signIn(handle, PHONE);
    for (int i = 0; i < 20; i++) {
      var ticket = node.get(new IssueTicket(caller(tokens)));
      var one = node.ask(new RedeemTicket(ticket.ticket()));
      var two = other.ask(new RedeemTicket(ticket.ticket()));
      Futures.get(one.otherwiseEmpty());
      Futures.get(two.otherwiseEmpty());
      assertThat(one.succeeded()).isNotEqualTo(two.succeeded());
      assertThat((one.succeeded() ? one : two).result().caller()).isEqualTo(caller(tokens));
    }
  }

  @Test
  void aTicketExpiresAndIsClearedAway() {
    node.signUp(handle);
    Tokens tokens = node.signIn(handle, PHONE);
    var ticket = node.get(new IssueTicket(caller(tokens)));
    var old = node.get(new IssueTicket(caller(tokens)));
    database.execute("UPDATE ticket SET expires_at = now() - interval '1 ms'");
    assertThat(refusal(node.ask(new RedeemTicket(ticket.ticket()))))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    node.get(new IssueTicket(caller(tokens)));
    assertThat(refusal(node.ask(new RedeemTicket(old.ticket())))).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(
            database.count(
                "SELECT count(*) FROM ticket WHERE account_id = " + tokens.accountId().value()))
        .isEqualTo(1);
  }

  @Test
  void aNewPasswordSignsAllDevicesOut() {
    node.signUp(handle);
    Tokens desk = node.signIn(handle, null);
    Tokens phone = node.signIn(handle, PHONE);
    Futures.get(node.administration.setPassword(handle, new Secret("battery staple")));
    assertThat(accessRefusal(node, desk)).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refusal(node.ask(new Refresh(phone.refreshToken(), AccountNode.HOME))))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refusal(node.trySignIn(handle, new Secret("correct horse"), null)))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(node.announcer.signals)
        .containsOnly(new AccountSignal.SignInsEnded(desk.accountId()));
    Futures.get(node.trySignIn(handle, new Secret("battery staple"), null));
  }

  @Test
  void theAdministratorSetsRoles() {
    node.signUp(handle);
    Futures.get(node.administration.setRole(handle, ServerRole.ADMIN));
    assertThat(
            database.count(
                "SELECT count(*) FROM account WHERE role = 'admin' AND handle = '" + handle + "'"))
        .isEqualTo(1);
    assertThat(refusal(node.administration.setRole("nobody", ServerRole.ADMIN)))
        .isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void aKeyThatIsTooOldGetsASuccessorAndGoesWhenWhatItSignedIsOver() {
    database.execute("DELETE FROM signing_key");
    node.signUp(handle);
    Tokens before = node.signIn(handle, PHONE);
    database.execute("UPDATE signing_key SET created_at = now() - interval '31 days'");
    Futures.get(other.keys.rotateIfDue());
    Futures.get(node.keys.rotateIfDue());
    assertThat(database.count("SELECT count(*) FROM signing_key")).isEqualTo(2);
    Tokens after = other.signIn(handle, null);
    Futures.get(node.authenticate(before.accessToken()));
    Futures.get(node.authenticate(after.accessToken()));
    database.execute("UPDATE signing_key SET created_at = created_at - interval '21 minutes'");
    Futures.get(node.keys.rotateIfDue());
    assertThat(database.count("SELECT count(*) FROM signing_key")).isEqualTo(1);
    Futures.get(node.authenticate(after.accessToken()));
    database.execute("DELETE FROM signing_key");
  }

  @Test
  void aRotatedKeyIsAcceptedAtOnceByANodeThatJustLooked() {
    node.signUp(handle);
    Tokens good = other.signIn(handle, null);
    String[] parts = good.accessToken().value().split("\\.", -1);
    String unknown =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("{\"alg\":\"HS256\",\"kid\":\"999\"}".getBytes(StandardCharsets.UTF_8));
    Futures.get(node.authenticate(good.accessToken()));
    assertThat(refusal(node.authenticate(new Secret(unknown + "." + parts[1] + "." + parts[2]))))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    Futures.get(other.keys.rotate());
    other.now = other.now.plus(Duration.ofMinutes(2));
    Tokens fresh = other.signIn(handle, null);
    assertThat(Futures.get(node.authenticate(fresh.accessToken())).caller())
        .isEqualTo(caller(fresh));
    database.execute("DELETE FROM signing_key");
  }

  @Test
  void aBotsTokenIsGoodUntilItsDeviceIsForgotten() {
    AccountCommand.MadeBot first = Futures.get(node.bots.make(handle, null));
    AccountCommand.MadeBot second = Futures.get(other.bots.make(handle, null));
    node.now = node.now.plus(Duration.ofDays(1_000));
    assertThat(Futures.get(node.authenticate(first.token())).caller())
        .isEqualTo(new Caller(first.account(), first.device()));
    assertThat(refusal(node.trySignIn(handle, new Secret("correct horse"), null)))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    node.get(new AccountCommand.RemoveDevice(first.account(), first.device()));
    assertThat(refusal(other.authenticate(first.token()))).isEqualTo(ErrorCode.UNAUTHORIZED);
    Futures.get(other.authenticate(second.token()));
    assertThat(refusal(node.administration.setPassword(handle, new Secret("correct horse"))))
        .isEqualTo(ErrorCode.CONFLICT);
    assertThat(refusal(node.administration.setRole(handle, ServerRole.ADMIN)))
        .isEqualTo(ErrorCode.NOT_FOUND);
    Futures.get(node.lifecycle.suspend(second.account()));
    assertThat(refusal(other.authenticate(second.token()))).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refusal(node.bots.make(handle, null))).isEqualTo(ErrorCode.FORBIDDEN);
    node.signUp(handle + "x");
    assertThat(refusal(node.bots.make(handle + "x", null))).isEqualTo(ErrorCode.CONFLICT);
  }

  @Test
  void aRemovalThatANodeDidNotFinishIsFinishedByAnother() {
    var account = node.signUp(handle).accountId();
    node.dies = true;
    assertThatThrownBy(() -> Futures.get(node.lifecycle.remove(account)))
        .hasMessageContaining("the node died");
    node.dies = false;
    Futures.get(other.lifecycle.finishRemovals(Duration.ofHours(1)));
    assertThat(other.removed).doesNotContain(account);
    Futures.get(other.lifecycle.finishRemovals(Duration.ZERO));
    assertThat(other.removed).containsOnlyOnce(account);
    Futures.get(other.lifecycle.finishRemovals(Duration.ZERO));
    assertThat(other.removed).containsOnlyOnce(account);
  }

  @Test
  void aRemovedAccountsRoomsAreLeftAlsoWhenItIsRemovedAgain() {
    var account = node.signUp(handle).accountId();
    Futures.get(node.lifecycle.remove(account));
    Futures.get(node.lifecycle.remove(account));
    assertThat(node.removed).containsExactly(account, account);
    assertThat(node.announcer.signals).contains(new AccountSignal.SignInsEnded(account));
    assertThat(other.get(new FindByHandle(handle)).accounts()).isEmpty();
  }
}
