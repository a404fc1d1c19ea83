package io.confab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.contract.Contract;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// A client on one socket: sends frames, keeps all that comes, and matches answers to requests.
public final class ChatClient {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /// A `welcome` of a thousand rooms is larger than what Vert.x takes by itself.
  private static final int MOST_BYTES = 1 << 20;

  private final WebSocketClient owner;
  private final WebSocket socket;
  private final AtomicLong ids = new AtomicLong();
  private final Map<String, Asked> asked = new ConcurrentHashMap<>();
  private final List<JsonObject> frames = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Short> closed = new CompletableFuture<>();
  private volatile Consumer<JsonObject> listener = frame -> {};

  /// A request under way.
  private record Asked(String frame, CompletableFuture<JsonObject> answer) {}

  /// @param owner closes its sockets when nobody refers to it any more
  private ChatClient(WebSocketClient owner, WebSocket socket) {
    this.owner = owner;
    this.socket = socket;
    socket.textMessageHandler(this::received);
    socket.closeHandler(
        _ -> {
          closed.complete(Optional.ofNullable(socket.closeStatusCode()).orElse((short) -1));
          asked
              .values()
              .forEach(a -> a.answer().completeExceptionally(new IllegalStateException("closed")));
        });
  }

  /// Opens a socket; nothing is said on it yet.
  public static ChatClient open(Vertx vertx, int port) {
    return open(vertx, endpoint(port).addSubProtocol("confab.v1"));
  }

  /// Opens a socket with an upgrade of one's own.
  public static ChatClient open(Vertx vertx, WebSocketConnectOptions upgrade) {
    return open(vertx, new WebSocketClientOptions(), upgrade);
  }

  /// The same as a client of one's own, with TLS for instance.
  public static ChatClient open(
      Vertx vertx, WebSocketClientOptions options, WebSocketConnectOptions upgrade) {
    WebSocketClient owner = vertx.createWebSocketClient(options.setMaxFrameSize(MOST_BYTES));
    ClientWebSocket socket = owner.webSocket();
    ChatClient client = new ChatClient(owner, socket);
    CompletableFuture<WebSocket> opened = new CompletableFuture<>();
    vertx.runOnContext( // elsewhere it may be closed before it has its handlers
        _ ->
            socket
                .connect(upgrade)
                .onSuccess(opened::complete)
                .onFailure(opened::completeExceptionally));
    get(opened);
    return client;
  }

  /// Where to open a socket, without a subprotocol yet.
  public static WebSocketConnectOptions endpoint(int port) {
    return new WebSocketConnectOptions()
        .setHost("127.0.0.1")
        .setPort(port)
        .setURI("/v1/socket")
        .setAllowOriginHeader(false); // Vert.x' client would send one, and is no page
  }

  /// Opens a socket and says hello.
  public static ChatClient hello(Vertx vertx, int port, String token) {
    ChatClient client = open(vertx, port);
    JsonObject welcome = client.ask(new JsonObject().put("type", "hello").put("token", token));
    assertThat(welcome.getString("type")).as("answer to hello: %s", welcome).isEqualTo("welcome");
    return client;
  }

  /// Says hello and makes every room live from where it stands.
  public static ChatClient live(Vertx vertx, int port, String token) {
    ChatClient client = hello(vertx, port, token);
    client.resume(true);
    return client;
  }

  public JsonObject welcome() {
    return frames("welcome").getFirst();
  }

  public JsonObject resume(boolean last, JsonObject... points) {
    return ask(
        new JsonObject()
            .put("type", "resume")
            .put("rooms", new JsonArray(List.of(points)))
            .put("last", last));
  }

  public static JsonObject point(String roomId, long epoch, long rev) {
    return new JsonObject().put("room_id", roomId).put("epoch", epoch).put("rev", rev);
  }

  public CompletableFuture<JsonObject> send(String roomId, String clientId, String body) {
    return request(
        new JsonObject()
            .put("type", "message.send")
            .put("room_id", roomId)
            .put("client_id", clientId)
            .put("body", body));
  }

  /// Sends again while that is unavailable, as clients do; the last answer.
  public JsonObject say(String roomId, String clientId, String body) {
    return await()
        .until(
            () -> get(send(roomId, clientId, body)),
            answer -> !"unavailable".equals(answer.getString("code")));
  }

  public CompletableFuture<JsonObject> edit(String roomId, long seq, String clientId, String body) {
    return request(
        new JsonObject()
            .put("type", "message.edit")
            .put("room_id", roomId)
            .put("seq", seq)
            .put("client_id", clientId)
            .put("body", body));
  }

  public CompletableFuture<JsonObject> delete(String roomId, long seq) {
    return request(
        new JsonObject().put("type", "message.delete").put("room_id", roomId).put("seq", seq));
  }

  /// Sends a request and waits for its answer.
  public JsonObject ask(JsonObject frame) {
    return get(request(frame));
  }

  public CompletableFuture<JsonObject> request(JsonObject frame) {
    String id = Long.toString(ids.incrementAndGet());
    String request = frame.copy().put("id", id).encode();
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    asked.put(id, new Asked(request, answer));
    if (closed.isDone()) {
      answer.completeExceptionally(new IllegalStateException("closed"));
      return answer;
    }
    raw(request);
    return answer;
  }

  public void raw(String text) {
    socket.writeTextMessage(text);
  }

  private void received(String text) {
    Contract.sawFrame(text);
    JsonObject frame = new JsonObject(text);
    frames.add(frame);
    listener.accept(frame);
    String re = frame.getString("re");
    Asked request = re == null ? null : asked.remove(re);
    if (request != null) {
      Contract.sawAnswer(request.frame(), text);
      request.answer().complete(frame);
    }
  }

  /// The receiver of each frame from now on, in order.
  public void listen(Consumer<JsonObject> to) {
    listener = to;
  }

  /// All that came so far, in order.
  public List<JsonObject> frames() {
    return List.copyOf(frames);
  }

  public List<JsonObject> frames(String type) {
    return frames.stream().filter(f -> type.equals(f.getString("type"))).toList();
  }

  /// The numbered events of a room in the order in which they came.
  public List<JsonObject> events(String roomId) {
    return frames.stream()
        .filter(f -> roomId.equals(f.getString("room_id")))
        .filter(f -> List.of("message.receive", "room.event").contains(f.getString("type")))
        .toList();
  }

  public List<String> bodies(String roomId) {
    return events(roomId).stream()
        .filter(f -> f.containsKey("body"))
        .map(f -> f.getString("body"))
        .toList();
  }

  public void awaitRev(String roomId, long rev) {
    await()
        .until(
            () -> {
              List<JsonObject> events = events(roomId);
              return !events.isEmpty() && events.getLast().getLong("rev") >= rev;
            });
  }

  public JsonObject awaitFrame(String type) {
    await().pollDelay(Duration.ZERO).until(() -> !frames(type).isEmpty());
    return frames(type).getFirst();
  }

  /// The code with which the server closes; waits for it.
  public short closeCode() {
    return get(closed);
  }

  public boolean isClosed() {
    return closed.isDone();
  }

  /// Cuts the connection without a word.
  public void cut() {
    socket.shutdown(0, TimeUnit.MILLISECONDS);
    owner.close();
  }

  public static <T> T get(CompletableFuture<T> future) {
    try {
      return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("no answer", e);
    }
  }
}
