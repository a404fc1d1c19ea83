package io.confab.client;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// The client against a server that says on its sockets what a test wants: faults of the program
/// and of its server that no real node shows when asked.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class ConfabClientIT {
  private final Vertx vertx;
  private final CredentialStore store = CredentialStore.memory();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final AtomicInteger sockets = new AtomicInteger();
  private volatile BiConsumer<ServerWebSocket, JsonNode> answers = ConfabClientIT::welcome;
  private HttpServer server;

  ConfabClientIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @BeforeEach
  void start() {
    server =
        get(
            vertx
                .createHttpServer(new HttpServerOptions().addWebSocketSubProtocol("confab.v1"))
                .webSocketHandler(
                    socket -> {
                      sockets.incrementAndGet();
                      socket.textMessageHandler(
                          text -> answers.accept(socket, ClientJson.tree(text)));
                    })
                .listen(0, "127.0.0.1"));
    get(
        store.save(
            new Credentials(
                AccountId.parse("0000000000ann"),
                new DeviceId("d-1"),
                new Secret("access-1"),
                new Secret("refresh-1"))));
  }

  /// Lets anybody in, who is in no room, and takes nothing else.
  private static void welcome(ServerWebSocket socket, JsonNode frame) {
    switch (frame.path("type").asText()) {
      case "hello" -> {
        String welcome =
            """
            {"type":"welcome","re":"hello","session_id":"s","account_id":"0000000000ann",
             "device_id":"d-1","node_id":"n","server_time":1,"feature_level":1,"rooms":[],
             "limits":{"frame_bytes":65536,"body_bytes":16384,"requests":256,"rooms":1000}}\
            """;
        var _ = socket.writeTextMessage(welcome);
      }
      case "resume" -> {
        String re = frame.path("id").asText();
        var _ =
            socket.writeTextMessage(
                "{\"type\":\"resumed\",\"re\":\"%s\",\"rooms\":[]}".formatted(re));
      }
      default -> {}
    }
  }

  private ConfabClient client(ClientListener listener) {
    return client(store, listener);
  }

  private ConfabClient client(CredentialStore credentials, ClientListener listener) {
    URI uri = URI.create("http://127.0.0.1:" + server.actualPort());
    ConfabApi api = new ConfabApi(vertx, List.of(uri), credentials);
    return new ConfabClient(api, ClientOptions.usual(), listener);
  }

  private ClientListener telling() {
    return new ClientListener() {
      @Override
      public void connectionChanged(ConnectionState state, String why, Duration retryIn) {
        told.add(state + (why.isEmpty() ? "" : " " + why));
      }
    };
  }

  private void awaitTold(String what) {
    Awaitility.await().until(() -> told.contains(what));
  }

  @Test
  void theListenerIsToldBeforeWhoeverWaitsForTheConnection() {
    ConfabClient client = client(telling());
    Future<Void> connected = client.connect().onSuccess(_ -> told.add("connected"));
    get(connected);
    assertThat(told).containsExactly("CONNECTING", "LIVE", "connected");
    get(client.close());
  }

  /// The first socket stays without an answer, so that the client's own clock ends it: what it
  /// decides then is the last thing that it tells.
  @Test
  void aListenerThatThrowsAtALostConnectionDoesNotEndTheTries() {
    answers =
        (socket, frame) -> {
          if (sockets.get() > 1) {
            welcome(socket, frame);
          }
        };
    ClientListener faulty =
        new ClientListener() {
          @Override
          public void connectionChanged(ConnectionState state, String why, Duration retryIn) {
            told.add(state.toString());
            throw new IllegalStateException("a fault of the program at " + state);
          }
        };
    ConfabClient client = client(faulty);
    Future<Void> connected = client.connect();
    awaitTold("LIVE");
    get(connected);
    assertThat(told).containsExactly("CONNECTING", "WAITING", "CONNECTING", "LIVE");
    get(client.close());
  }

  /// Two sends wait when the server turns the client away: each call of the listener throws.
  @Test
  void aListenerThatThrowsEverywhereHoldsNothingUp() {
    List<Throwable> unhandled = new CopyOnWriteArrayList<>();
    vertx.exceptionHandler(unhandled::add);
    answers =
        (socket, frame) -> {
          switch (frame.path("type").asText()) {
            case "resume" -> {
              welcome(socket, frame);
              say(socket, ADDED);
            }
            case "message.send" -> {
              if (frame.path("body").asText().equals("second")) {
                say(socket, "{'type':'room.removed','room_id':'0000000000007','reason':'left'}");
                var _ = socket.close((short) 4409);
              }
            }
            default -> welcome(socket, frame);
          }
        };
    ConfabClient client = client(new Faulty());
    get(client.connect());
    awaitTold("added");
    PendingSend first = client.send(RoomId.parse("0000000000007"), "first");
    PendingSend second = client.send(RoomId.parse("0000000000007"), "second");

    for (PendingSend send : List.of(first, second)) {
      assertThatThrownBy(() -> get(send.sent())).isInstanceOf(ApiException.class);
    }
    Awaitility.await().until(() -> unhandled.size() == told.size());
    assertThat(told)
        .containsExactly("CONNECTING", "LIVE", "added", "removed", "STOPPED", "settled", "settled");
    get(client.close());
  }

  private static final String ADDED =
      "{'type':'room.added','room':{'room_id':'0000000000007','type':'group','name':'Team',"
          + "'role':'member','history':'all','member_count':2,'epoch':1,'seq':0,'rev':1}}";

  private static void say(ServerWebSocket socket, String frame) {
    var _ = socket.writeTextMessage(frame.replace('\'', '"'));
  }

  /// Tells what it is told, and throws.
  private final class Faulty implements ClientListener {
    private void tell(String what) {
      told.add(what);
      throw new IllegalStateException("a fault of the program at " + what);
    }

    @Override
    public void connectionChanged(ConnectionState state, String why, Duration retryIn) {
      tell(state.toString());
    }

    @Override
    public void roomAdded(RoomPosition room) {
      tell("added");
    }

    @Override
    public void roomRemoved(RoomId room, String reason) {
      tell("removed");
    }

    @Override
    public void sendChanged(PendingSend send) {
      tell("settled");
    }
  }

  @Test
  void credentialsThatCannotBeReadAreReadAgain() {
    ConfabClient client = client(new FailingOnce(store), telling());
    get(client.connect());
    assertThat(told).containsExactly("CONNECTING", "WAITING unreachable", "CONNECTING", "LIVE");
    get(client.close());
  }

  @Test
  void aSendThatNobodyAnsweredFailsWhenTheServerTurnsTheClientAway() {
    answers =
        (socket, frame) -> {
          if (frame.path("type").asText().equals("message.send")) {
            var _ = socket.close((short) 4409);
          } else {
            welcome(socket, frame);
          }
        };
    ConfabClient client = client(telling());
    get(client.connect());
    PendingSend send = client.send(RoomId.parse("000000000000a"), "hello?");
    assertThatThrownBy(() -> get(send.sent()))
        .isInstanceOfSatisfying(
            ApiException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(ApiException.CLOSED));
    assertThat(told).containsExactly("CONNECTING", "LIVE", "STOPPED closed 4409");
    get(client.close());
  }

  @Test
  void nobodySignedInStops() {
    get(store.clear());
    ConfabClient client = client(telling());
    assertThatThrownBy(() -> get(client.connect())).isInstanceOf(ApiException.class);
    assertThat(told).containsExactly("CONNECTING", "STOPPED signed out");
    get(client.close());
  }

  /// A store whose first answer is a fault of its disk.
  private record FailingOnce(CredentialStore good, AtomicInteger loads) implements CredentialStore {
    private FailingOnce(CredentialStore good) {
      this(good, new AtomicInteger());
    }

    @Override
    public Future<Optional<Credentials>> load() {
      return loads.incrementAndGet() == 1
          ? Future.failedFuture(new IOException("the disk is away"))
          : good.load();
    }

    @Override
    public Future<Void> save(Credentials credentials) {
      return good.save(credentials);
    }

    @Override
    public Future<Void> clear() {
      return good.clear();
    }
  }
}
