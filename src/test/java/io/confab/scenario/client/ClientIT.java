package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.client.ApiException;
import io.confab.client.ChatMessage;
import io.confab.client.ClientListener;
import io.confab.client.ClientOptions;
import io.confab.client.ConfabApi;
import io.confab.client.ConfabClient;
import io.confab.client.ConnectionState;
import io.confab.client.CredentialStore;
import io.confab.client.Credentials;
import io.confab.client.PendingSend;
import io.confab.client.RoomPosition;
import io.confab.client.RoomUpdate;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.scenario.Nodes;
import io.confab.testing.Futures;
import io.reactivex.rxjava3.disposables.Disposable;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// The client library against a real node, where tests of its rules alone cannot show enough.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientIT {
  private static final Secret PASSWORD = new Secret("correct horse");

  private Nodes nodes;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  /// What a program heard, as texts.
  private static final class Heard implements ClientListener {
    private final List<String> all = new CopyOnWriteArrayList<>();

    @Override
    public void connectionChanged(ConnectionState state, String why, Duration retryIn) {
      all.add(state + (why.isEmpty() ? "" : " " + why));
    }

    @Override
    public void roomAdded(RoomPosition room) {
      all.add("added " + room.roomId());
    }

    @Override
    public void roomRemoved(RoomId room, String reason) {
      all.add("removed " + room + " " + reason);
    }

    ConfabClient client(Person person, ClientOptions options) {
      ConfabClient client = new ConfabClient(person.api(), options, this);
      Disposable _ = client.updates().subscribe(this::note); // ends with the client
      return client;
    }

    private void note(RoomUpdate update) {
      switch (update) {
        case RoomUpdate.Said(ChatMessage message) -> all.add("said " + message.body());
        case RoomUpdate.Reset reset -> all.add("page of " + reset.page().messages().size());
        default -> all.add(update.getClass().getSimpleName());
      }
    }

    void await(String text) {
      org.awaitility.Awaitility.await().until(() -> all.contains(text));
    }

    List<String> said() {
      return all.stream().filter(text -> text.startsWith("said ")).toList();
    }
  }

  private record Person(ConfabApi api, CredentialStore store, String handle) {}

  private Person person() {
    String handle = "p" + UUID.randomUUID().toString().substring(0, 8);
    CredentialStore store = CredentialStore.memory();
    ConfabApi api = api(store);
    Futures.get(api.signUp(handle, PASSWORD, null));
    Futures.get(api.signIn(handle, PASSWORD, new DeviceInfo(new DeviceId("d-1"), "test", "test")));
    return new Person(api, store, handle);
  }

  private ConfabApi api(CredentialStore store) {
    return new ConfabApi(
        nodes.vertx(), List.of(URI.create("http://127.0.0.1:" + nodes.port(0))), store);
  }

  private static RoomId channel(Person person) {
    return Futures.get(person.api().createChannel("c" + UUID.randomUUID(), null)).roomId();
  }

  @Test
  void sendsMadeBeforeTheConnectionGoOutInOrder() {
    Person ann = person();
    RoomId room = channel(ann);
    Heard heard = new Heard();
    ConfabClient client = heard.client(ann, ClientOptions.usual());
    List<PendingSend> sends = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      sends.add(client.send(room, "line " + i));
    }
    assertThat(sends).extracting(PendingSend::state).containsOnly(PendingSend.State.QUEUED);
    Futures.get(client.connect());
    for (int i = 0; i < sends.size(); i++) {
      assertThat(Futures.get(sends.get(i).sent()).seq().value()).isEqualTo(i + 1);
      assertThat(sends.get(i).state()).isEqualTo(PendingSend.State.SENT);
    }
    await()
        .untilAsserted(
            () -> assertThat(heard.said()).hasSize(300).last().isEqualTo("said line 299"));
    assertThat(Futures.get(client.rooms()))
        .singleElement()
        .satisfies(position -> assertThat(position.seq().value()).isEqualTo(300));
    Futures.get(client.close());
  }

  @Test
  void aTokenThatIsWorthNothingIsRenewedBeforeTheNextTry() {
    Person ann = person();
    RoomId room = channel(ann);
    Credentials good = Futures.get(ann.api().credentials());
    Secret bad = new Secret("nonsense");
    Futures.get(
        ann.store()
            .save(new Credentials(good.accountId(), good.deviceId(), bad, good.refreshToken())));
    Heard heard = new Heard();
    ConfabClient client = heard.client(ann, ClientOptions.usual());
    Futures.get(client.connect());
    assertThat(Futures.get(ann.api().credentials()).accessToken()).isNotEqualTo(bad);
    assertThat(heard.all).containsExactly("CONNECTING", "CONNECTING", "added " + room, "LIVE");
    Futures.get(client.close());
  }

  @Test
  void theOlderOfTwoConnectionsOfADeviceStopsAndMayComeBack() {
    Person ann = person();
    Heard first = new Heard();
    ConfabClient older = first.client(ann, ClientOptions.usual());
    Futures.get(older.connect());
    ConfabClient newer = new Heard().client(ann, ClientOptions.usual());
    Futures.get(newer.connect());
    first.await("STOPPED displaced");
    Futures.get(older.connect());
    Futures.get(older.close());
    Futures.get(newer.close());
  }

  @Test
  void aSignInThatWasEndedStops() {
    Person ann = person();
    Heard heard = new Heard();
    ConfabClient client = heard.client(ann, ClientOptions.usual());
    Futures.get(client.connect());
    Futures.get(ann.api().signOut());
    heard.await("STOPPED revoked");
    assertThatThrownBy(() -> Futures.get(client.connect())).isInstanceOf(ApiException.class);
    assertThat(heard.all).last().isEqualTo("STOPPED signed out");
  }

  @Test
  void roomsComeAndGoAndAFaultOfASubscriberEndsNothingButItsOwnStream() {
    Person ann = person();
    Person ben = person();
    RoomId room = channel(ann);
    Heard heard = new Heard();
    ConfabClient client = heard.client(ann, ClientOptions.usual());
    Futures.get(client.connect());
    CompletableFuture<Throwable> fault = new CompletableFuture<>();
    Disposable faulty =
        client
            .updates(room)
            .subscribe(
                _ -> {
                  throw new IllegalStateException("a fault of the program");
                },
                fault::complete);
    Futures.get(ben.api().join(room));
    heard.await("MemberJoined");
    assertThat(Futures.get(Future.fromCompletionStage(fault)))
        .isInstanceOf(IllegalStateException.class);
    await().until(faulty::isDisposed);
    PendingSend send = client.send(room, "after the fault");
    Futures.get(send.sent());
    heard.await("said after the fault");

    RoomId other = channel(ben);
    Futures.get(ann.api().join(other));
    heard.await("added " + other);
    Futures.get(ann.api().leave(other));
    heard.await("removed " + other + " left");
    PendingSend late = client.send(other, "too late");
    assertThatThrownBy(() -> Futures.get(late.sent()))
        .isInstanceOfSatisfying(
            ApiException.class, refusal -> assertThat(refusal.is(ErrorCode.FORBIDDEN)).isTrue());
    assertThat(late.state()).isEqualTo(PendingSend.State.FAILED);
    Futures.get(client.close());
  }

  @Test
  void theNewestPageComesFirstWhereItIsAskedFor() {
    Person ann = person();
    RoomId room = channel(ann);
    Heard before = new Heard();
    ConfabClient first = before.client(ann, ClientOptions.usual());
    Futures.get(first.connect());
    Futures.get(first.send(room, "one").sent());
    Futures.get(first.send(room, "two").sent());
    Futures.get(first.close());

    Heard heard = new Heard();
    ConfabClient second = heard.client(ann, ClientOptions.usual().readsNewest(room::equals));
    Futures.get(second.connect());
    heard.await("page of 2");
    Futures.get(second.send(room, "three").sent());
    heard.await("said three");
    assertThat(heard.said()).containsExactly("said three");
    Futures.get(second.close());

    Heard resumed = new Heard();
    RoomPosition early =
        new RoomPosition(
            room,
            Futures.get(ann.api().room(room)).epoch(),
            new io.confab.protocol.Seq(1),
            new io.confab.protocol.Rev(2));
    ConfabClient third = resumed.client(ann, ClientOptions.usual().positions(List.of(early)));
    Futures.get(third.connect());
    resumed.await("said three");
    assertThat(resumed.said()).containsExactly("said two", "said three");
    Futures.get(third.close());
  }

  @Test
  void aClosedClientTakesNothingMore() {
    Person ann = person();
    RoomId room = channel(ann);
    ConfabClient client = new Heard().client(ann, ClientOptions.usual());
    Futures.get(client.connect());
    Futures.get(client.close());
    PendingSend late = client.send(room, "too late");
    assertThatThrownBy(() -> Futures.get(late.sent()))
        .isInstanceOfSatisfying(
            ApiException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(ApiException.CLOSED));
    assertThatThrownBy(() -> Futures.get(client.connect())).isInstanceOf(ApiException.class);
    Futures.get(client.close());
  }
}
