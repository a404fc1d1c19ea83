package io.confab.account;

import static io.confab.testing.Futures.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand.IssueTokens;
import io.confab.account.AccountCommand.ListDevices;
import io.confab.account.AccountCommand.SignOut;
import io.confab.account.AccountCommand.SignedInDevice;
import io.confab.account.AccountCommand.Tokens;
import io.confab.feed.AccountSignal;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// How many devices an account has, which go, and what becomes of those that a backend signed in.
@ExtendWith(VertxExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class DeviceBoundIT {
  private static final int MOST = 50;
  private static final ApiKeyId KEY = ApiKeyId.of(Optional.of(new Secret("the key")));

  private TestDatabase database;
  private AccountNode node;
  private AccountNode other;
  private int count;
  private String handle = "";
  private AccountId account = new AccountId(1);

  @BeforeAll
  void open(Vertx vertx) {
    database = TestDatabase.create();
    node = new AccountNode(vertx, database.url());
    other = new AccountNode(vertx, database.url());
  }

  @BeforeEach
  void signUp() {
    handle = "user" + ++count;
    account = node.signUp(handle).accountId();
    node.registry = () -> Future.succeededFuture(Set.of());
    node.announcer.signals.clear();
  }

  @AfterAll
  void close() {
    node.close();
    other.close();
    database.close();
  }

  private List<Tokens> signIns(int number) {
    return IntStream.range(0, number).mapToObj(_ -> node.signIn(handle, null)).toList();
  }

  private AccountCommand.Authenticated signIn(Secret token) {
    return Futures.get(node.authenticate(token));
  }

  private long devices() {
    return database.count("SELECT count(*) FROM device WHERE account_id = " + account.value());
  }

  private void connect(Stream<DeviceId> devices) {
    Set<DeviceId> connected = devices.collect(Collectors.toSet());
    node.registry = () -> Future.succeededFuture(connected);
  }

  private boolean stands(Tokens tokens) {
    Future<?> asked = node.authenticate(tokens.accessToken());
    Futures.get(asked.otherwiseEmpty());
    return asked.succeeded();
  }

  private Tokens issue() {
    return node.get(new IssueTokens(account, null, KEY));
  }

  private SignedInDevice listed(Tokens tokens) {
    return node
        .get(new ListDevices(signIn(tokens.accessToken()).caller(), null, 100))
        .devices()
        .stream()
        .filter(SignedInDevice::current)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void manySignInsLeaveFiftyDevicesOfWhichTheLongestUnusedGo() {
    List<Tokens> all = signIns(MOST + 10);
    assertThat(devices()).isEqualTo(MOST);
    assertThat(all.subList(0, 10)).noneMatch(this::stands);
    assertThat(all.subList(10, MOST + 10)).allMatch(this::stands);
    assertThat(node.announcer.signals).contains(new AccountSignal.SignInsEnded(account));
  }

  @Test
  void signedOutDevicesGoFirst() {
    List<Tokens> all = signIns(MOST);
    node.get(new SignOut(signIn(all.getLast().accessToken()), null));
    Tokens next = node.signIn(handle, null);
    assertThat(all.subList(0, MOST - 1)).allMatch(this::stands);
    assertThat(stands(next)).isTrue();
    assertThat(devices()).isEqualTo(MOST);
  }

  @Test
  void whoIsConnectedStaysAndWhereAllAreThereIsNoRoom() {
    List<Tokens> all = signIns(MOST);
    List<DeviceId> ids = all.stream().map(Tokens::deviceId).toList();
    connect(ids.stream().filter(id -> !id.equals(ids.get(30))));
    Tokens next = node.signIn(handle, null);
    assertThat(stands(all.get(30))).isFalse();
    assertThat(stands(all.getFirst()) && stands(next)).isTrue();

    connect(Stream.concat(ids.stream(), Stream.of(next.deviceId())));
    assertThat(refusal(node.trySignIn(handle, AccountNode.PASSWORD, null)))
        .isEqualTo(ErrorCode.CONFLICT);
    DeviceInfo known = new DeviceInfo(next.deviceId(), "Phone", "test");
    assertThat(stands(node.signIn(handle, known))).isTrue();
  }

  @Test
  void devicesWithKeysStay() {
    List<Tokens> all = signIns(MOST);
    database.execute(
        "UPDATE device SET has_keys = true WHERE account_id = %d AND device_id IN ('%s', '%s')"
            .formatted(account.value(), all.getFirst().deviceId(), all.get(1).deviceId()));
    node.get(new SignOut(signIn(all.getFirst().accessToken()), null));
    node.signIn(handle, null);
    assertThat(stands(all.get(1))).isTrue();
    assertThat(stands(all.get(2))).isFalse();
    assertThat(
            database.count(
                "SELECT count(*) FROM device WHERE device_id = '%s'"
                    .formatted(all.getFirst().deviceId())))
        .isOne();
  }

  @Test
  void signInsAtOnceOnTwoNodesKeepTheBound() {
    signIns(MOST - 2);
    List<Future<Tokens>> tries = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      tries.add((i % 2 == 0 ? node : other).trySignIn(handle, AccountNode.PASSWORD, null));
    }
    tries.forEach(Futures::get);
    assertThat(devices()).isEqualTo(MOST);
  }

  @Test
  void tokensOfBotsStayUntilSomebodyEndsThem() {
    AccountCommand.MadeBot first = Futures.get(node.bots.make(handle + "bot", null));
    for (int i = 1; i < MOST; i++) {
      Futures.get(node.bots.make(handle + "bot", null));
    }
    assertThat(refusal(node.bots.make(handle + "bot", null))).isEqualTo(ErrorCode.CONFLICT);
    Futures.get(node.authenticate(first.token()));
  }

  @Test
  void signedOutDevicesOfABotMakeRoomForMore() {
    for (int i = 0; i < MOST; i++) {
      AccountCommand.MadeBot made = Futures.get(node.bots.make(handle + "bot", null));
      node.get(new SignOut(signIn(made.token()), null));
    }
    AccountCommand.MadeBot next = Futures.get(node.bots.make(handle + "bot", null));
    Futures.get(node.authenticate(next.token()));
  }

  @Test
  void aBotIsToldOfEachTokenAndOfTheDeviceThatGoesForIt() {
    AccountCommand.MadeBot bot = Futures.get(node.bots.make(handle + "bot", null));
    long first = version(told());
    database.execute(
        """
        INSERT INTO device (account_id, device_id, name, platform, family_id, seen_at)
        SELECT %d, 'd' || n, 'd', 'test', gen_random_uuid(), now() - interval '1 day'
        FROM generate_series(2, %d) n
        """
            .formatted(bot.account().value(), MOST));
    node.announcer.signals.clear();
    Futures.get(node.bots.make(handle + "bot", null));
    List<AccountSignal> told = told();
    assertThat(told).startsWith(new AccountSignal.SignInsEnded(bot.account())).hasSize(2);
    assertThat(version(told.subList(1, 2))).isGreaterThan(first);
  }

  /// Each signal once: where an answer is late it is given twice.
  private List<AccountSignal> told() {
    return node.announcer.signals.stream().distinct().toList();
  }

  /// Of the one signal, which tells that devices changed.
  private static long version(List<AccountSignal> told) {
    assertThat(told).hasOnlyElementsOfType(AccountSignal.DevicesChanged.class).hasSize(1);
    return ((AccountSignal.DevicesChanged) told.getFirst()).version();
  }

  @Test
  void theAccountIsNotHeldWhileItIsAskedWhoIsConnected() {
    signIns(MOST);
    Promise<Void> asked = Promise.promise();
    Promise<Set<DeviceId>> answer = Promise.promise();
    node.registry =
        () -> {
          asked.complete();
          return answer.future();
        };
    Future<Tokens> signIn = node.trySignIn(handle, AccountNode.PASSWORD, null);
    Futures.get(asked.future());
    database.execute(
        "SELECT FROM account WHERE account_id = %d FOR UPDATE NOWAIT".formatted(account.value()));
    answer.complete(Set.of());
    assertThat(stands(Futures.get(signIn))).isTrue();
    assertThat(devices()).isEqualTo(MOST);
  }

  @Test
  void theRegistryIsAskedOnlyWhereADeviceThatIsSignedInHasToGo() {
    signIns(MOST - 1);
    node.registry = () -> Future.failedFuture(Refusal.unavailable("Redis is away"));
    Tokens last = node.signIn(handle, null);
    assertThat(refusal(node.trySignIn(handle, AccountNode.PASSWORD, null)))
        .isEqualTo(ErrorCode.UNAVAILABLE);
    node.get(new SignOut(signIn(last.accessToken()), null));
    assertThat(stands(node.signIn(handle, null))).isTrue();
  }

  @Test
  void whatABackendSignsInIsToldAndMarked() {
    Tokens own = node.signIn(handle, null);
    Tokens first = issue();
    Tokens second = issue();
    List<AccountSignal> told = told();
    assertThat(told).hasOnlyElementsOfType(AccountSignal.DevicesChanged.class).hasSize(2);
    assertThat(((AccountSignal.DevicesChanged) told.get(1)).version())
        .isGreaterThan(((AccountSignal.DevicesChanged) told.get(0)).version());
    assertThat(listed(first).issuedBy()).isEqualTo("api_key");
    assertThat(listed(own).issuedBy()).isNull();
    node.get(new AccountCommand.RemoveDevice(account, second.deviceId()));
    assertThat(stands(second)).isFalse();
  }

  @Test
  void whatAnApiKeySignedInEndsWithTheKeyAlsoAfterARefresh() {
    Tokens own = node.signIn(handle, null);
    Tokens issued = issue();
    Tokens refreshed = node.refresh(issued);
    Futures.get(node.apiKeys.end(KEY));
    assertThat(stands(refreshed)).isTrue();

    Futures.get(node.apiKeys.end(ApiKeyId.of(Optional.of(new Secret("another")))));
    assertThat(stands(refreshed)).isFalse();
    assertThat(stands(own)).isTrue();
    assertThat(refusal(node.ask(new AccountCommand.Refresh(refreshed.refreshToken(), ""))))
        .isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(node.announcer.signals)
        .contains(new AccountSignal.Revoked(account, issued.deviceId()));

    Tokens again = issue();
    Futures.get(node.apiKeys.end(ApiKeyId.of(Optional.empty())));
    assertThat(stands(again)).isFalse();
  }
}
