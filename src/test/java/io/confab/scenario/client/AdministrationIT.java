package io.confab.scenario.client;

import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.client.AccountState;
import io.confab.client.Additions;
import io.confab.client.Administration;
import io.confab.client.ApiException;
import io.confab.client.BotToken;
import io.confab.client.ConfabApi;
import io.confab.client.CredentialStore;
import io.confab.client.Fault;
import io.confab.client.MadeAccount;
import io.confab.client.NewAccount;
import io.confab.client.OwnDevice;
import io.confab.client.SentMessage;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.scenario.Nodes;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// What the Java client does besides talking, against a node: accounts in bulk, bots, members in
/// bulk, devices, the end of an account.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdministrationIT {
  private static final Secret KEY = new Secret("an-api-key-that-makes-accounts-0123456789");
  private static final Secret PASSWORD = new Secret("correct horse");

  private Nodes nodes;
  private Administration backend;

  @BeforeAll
  void start() {
    nodes = Nodes.start(0);
    nodes.add(with(nodes.config(), "api_key", Optional.of(KEY)));
    backend = api().administration(KEY);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private ConfabApi api() {
    URI server = URI.create("http://127.0.0.1:" + nodes.port(0));
    return new ConfabApi(nodes.vertx(), List.of(server), CredentialStore.memory());
  }

  private AccountId make(String handle, String role) {
    List<MadeAccount> made =
        backend.create(List.of(new NewAccount(handle, null, PASSWORD, role))).await();
    return Objects.requireNonNull(made.getFirst().accountId());
  }

  private ConfabApi signedIn(String handle) {
    ConfabApi api = api();
    api.signIn(handle, PASSWORD, new DeviceInfo(null, "laptop", "linux")).await();
    return api;
  }

  @Test
  void adminsReadAndChangeAccounts() {
    make("ada", "admin");
    AccountId bob = make("bob", "user");
    Administration ada = signedIn("ada").administration();
    assertThat(ada.accounts().await()).extracting(AccountState::handle).contains("ada", "bob");
    assertThat(ada.suspend(bob).await()).returns(true, AccountState::suspended);
    assertThat(ada.account(bob).await()).returns(true, AccountState::suspended);
    assertThat(ada.restore(bob).await()).returns(false, AccountState::suspended);
    ada.remove(bob).await();
    assertThatThrownBy(() -> ada.account(bob).await())
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("not_found");
    assertThat(ada.create(List.of(new NewAccount("ada", null, null, null))).await())
        .extracting(MadeAccount::error)
        .extracting(Fault::code)
        .containsExactly("conflict");
  }

  @Test
  void aBotIsMadeAndGetsOneMoreToken() {
    BotToken first = backend.bot("weather", "Weather").await();
    BotToken second = backend.bot("weather", null).await();
    assertThat(second.accountId()).isEqualTo(first.accountId());
    assertThat(second.token()).isNotEqualTo(first.token());
    assertThat(backend.account(first.accountId()).await())
        .returns("bot", AccountState::role)
        .returns("Weather", AccountState::displayName);
  }

  @Test
  void membersAreAddedAtOnceAndMessagesReadOneByOne() {
    make("cas", "user");
    AccountId dan = make("dan", "user");
    AccountId nobody = AccountId.parse("0000000000zzz");
    ConfabApi cas = signedIn("cas");
    RoomId room = cas.createGroup("shed", null, List.of()).await().roomId();
    Additions added = cas.add(room, List.of(dan, nobody)).await();
    assertThat(added.members())
        .satisfiesExactly(
            first -> assertThat(first.error()).isNull(),
            second ->
                assertThat(Objects.requireNonNull(second.error()).code()).isEqualTo("not_found"));
    SentMessage sent = cas.send(room, new ClientId("m-1"), "hello").await();
    assertThat(cas.message(room, sent.seq()).await().body()).isEqualTo("hello");
  }

  @Test
  void aDeviceIsRenamedAndAnAccountRemovesItself() {
    make("eve", "user");
    ConfabApi eve = signedIn("eve");
    OwnDevice here = eve.devices().await().getFirst();
    assertThat(eve.renameDevice(here.deviceId(), "lap").await().name()).isEqualTo("lap");
    assertThatThrownBy(() -> eve.removeAccount(new Secret("wrong horse")).await())
        .isInstanceOf(ApiException.class);
    eve.removeAccount(PASSWORD).await();
    assertThatThrownBy(() -> signedIn("eve")).isInstanceOf(ApiException.class);
  }
}
