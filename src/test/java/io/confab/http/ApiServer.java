package io.confab.http;

import io.confab.account.AccountCommand;
import io.confab.account.FamilyId;
import io.confab.account.PasswordSalt;
import io.confab.account.Passwords;
import io.confab.account.outside.BearerCommand;
import io.confab.bus.Address;
import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Peer;
import io.confab.bus.Peers;
import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.config.NodeRole;
import io.confab.config.TlsMode;
import io.confab.contract.Contract;
import io.confab.contract.HttpContract.Exchange;
import io.confab.limit.ConnectionLimit;
import io.confab.limit.EdgeLimits;
import io.confab.listener.ConnectionPipeline;
import io.confab.listener.GuardedTransport;
import io.confab.listener.PublicListener;
import io.confab.listener.ServerCertificate;
import io.confab.logging.AccessLog;
import io.confab.message.MessageCommand;
import io.confab.message.MessageRequests;
import io.confab.message.Seating;
import io.confab.message.WriteCommand;
import io.confab.metrics.Meters;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.confab.room.RoomCommand;
import io.confab.security.SecurityEvent;
import io.confab.security.SecurityLog;
import io.confab.testing.TestConfig;
import io.confab.testing.TestLimits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The API on a free port of loopback, over a bus whose commands are recorded and answered as
/// the test says.
public final class ApiServer implements AutoCloseable {
  static final Caller ALICE = new Caller(new AccountId(1), new DeviceId("phone"));
  static final AccountCommand.Authenticated SIGN_IN =
      new AccountCommand.Authenticated(ALICE, new FamilyId(new UUID(1, 1)));
  static final String TOKEN = "token-of-alice";

  /// A token whose owner is known once the test says so.
  static final String SLOW_TOKEN = "slow-token-of-alice";

  /// Of every password; the commands that ask for it are not recorded.
  static final PasswordSalt SALT = new PasswordSalt("$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ");

  final List<Command<?>> commands = new CopyOnWriteArrayList<>();
  final List<Integer> statuses = new CopyOnWriteArrayList<>();
  final List<SecurityEvent> events = new CopyOnWriteArrayList<>();
  private final Vertx vertx;
  private final HttpClient client = HttpClient.newHttpClient();
  private volatile Supplier<Future<? extends BusMessage>> reply =
      () -> Future.failedFuture(new IllegalStateException("no reply was said"));
  final AtomicInteger connections = new AtomicInteger();
  private final Promise<BusMessage> slow = Promise.promise();
  private volatile boolean identifying;
  private static final MemoryShares SHARES = new MemoryShares(128 << 20, 128 << 20);

  private volatile boolean madeUp;
  private final Passwords passwords;
  private volatile int port;

  public ApiServer() {
    this(TestConfig.node(Path.of("unused")));
  }

  public ApiServer(Config config) {
    this(config, TestLimits.of(config));
  }

  ApiServer(Config config, EdgeLimits limits) {
    ConnectionLimit admission = new ConnectionLimit(config, 10_000, _ -> {}, System::nanoTime);
    vertx =
        Vertx.builder()
            .withTransport(new GuardedTransport(config.http(), admission, SHARES))
            .build();
    passwords = new Passwords(vertx, TestConfig.accounts().argon2(), new SecureRandom());
    Peer peer = new Peer(new NodeId("node"), Map.of(NodeRole.ROUTING, 1, NodeRole.PERSISTENCE, 1));
    Bus bus = new Bus(vertx, Peers.alone(peer));
    await(bus.serve(BearerCommand.ADDRESS, 0, this::bearer));
    await(serve(bus, AccountCommand.ADDRESS));
    await(serve(bus, RoomCommand.ADDRESS));
    await(serve(bus, MessageCommand.ADDRESS));
    await(serve(bus, WriteCommand.ADDRESS));
    await(vertx.deployVerticle(new Listener(bus, config, limits)));
  }

  private final class Listener extends VerticleBase {
    private final Bus bus;
    private final Config config;
    private final EdgeLimits limits;

    Listener(Bus bus, Config config, EdgeLimits limits) {
      this.bus = bus;
      this.config = config;
      this.limits = limits;
    }

    private Optional<ServerCertificate> certificate() throws IOException {
      return config.http().tls().mode() == TlsMode.FILES
          ? Optional.of(ServerCertificate.read(vertx, config.http().tls()))
          : Optional.empty();
    }

    @Override
    public Future<?> start() throws IOException {
      Optional<AccessLog> access =
          config.http().accessLog() ? Optional.of(new AccessLog()) : Optional.empty();
      HttpApi api =
          new HttpApi(
              vertx,
              bus,
              config,
              limits,
              new MessageRequests(bus, limits.limits(), new Meters(), Seating.asking(bus)),
              Seating.asking(bus),
              passwords,
              new AnswerWatch(
                  (status, _) -> statuses.add(status), new SecurityLog(events::add), access));
      ConnectionPipeline pipeline = new ConnectionPipeline(config, SHARES.unfinishedRequests());
      return vertx
          .createHttpServer(PublicListener.options(config, certificate()))
          .connectionHandler(
              connection -> {
                connections.incrementAndGet();
                connection.closeHandler(_ -> connections.decrementAndGet());
                pipeline.prepare(connection);
              })
          .invalidRequestHandler(new MalformedRequests(limits, access))
          .requestHandler(api.router())
          .webSocketHandler(socket -> socket.textMessageHandler(socket::writeTextMessage))
          .listen()
          .onSuccess((HttpServer server) -> port = server.actualPort());
    }
  }

  private <C extends Command<?>> Future<Void> serve(Bus bus, Address<C> address) {
    return bus.serve(
        address,
        0,
        command -> {
          if (command instanceof AccountCommand.FindEnded) {
            return Future.succeededFuture(new AccountCommand.Ended(List.of(), List.of()));
          }
          if (command instanceof AccountCommand.Approach) {
            return Future.succeededFuture(new AccountCommand.Approached(SALT, null, false));
          }
          if (command instanceof AccountCommand.FindOwnSalt) {
            return Future.succeededFuture(SALT);
          }
          commands.add(command);
          return reply.get();
        });
  }

  private Future<? extends BusMessage> bearer(BearerCommand<?> command) {
    return switch (command) {
      case BearerCommand.Identify(Secret token) when token.value().equals(SLOW_TOKEN) -> {
        identifying = true;
        yield slow.future();
      }
      case BearerCommand.Identify(Secret token) when token.value().equals(TOKEN) ->
          Future.succeededFuture(new BearerCommand.Identified(ALICE.account(), SIGN_IN));
      case BearerCommand.IdentifyDevice(Secret token) when token.value().equals(TOKEN) ->
          Future.succeededFuture(SIGN_IN);
      case BearerCommand.Identify _,
          BearerCommand.IdentifyDevice _,
          BearerCommand.Read _,
          BearerCommand.Admit _ ->
          Future.failedFuture(new Refusal(ErrorCode.UNAUTHORIZED, "no such token"));
    };
  }

  /// Of all answers that the API gave.
  public List<Integer> statuses() {
    return statuses;
  }

  /// Whether somebody has come with the slow token.
  boolean isIdentifying() {
    return identifying;
  }

  void identify() {
    slow.complete(new BearerCommand.Identified(ALICE.account(), SIGN_IN));
  }

  /// What commands are answered from now on.
  void reply(BusMessage message) {
    madeUp = false;
    reply = () -> Future.succeededFuture(message);
  }

  /// What the next commands are answered, one after the other; those that follow find nobody.
  void replies(BusMessage... messages) {
    madeUp = false;
    Iterator<BusMessage> rest = List.of(messages).iterator();
    reply =
        () ->
            rest.hasNext()
                ? Future.succeededFuture(rest.next())
                : Future.failedFuture(Refusal.unavailable("the database is away"));
  }

  /// What commands fail with from now on, whatever a route may fail with by its document.
  void fail(RuntimeException failure) {
    madeUp = true;
    reply = () -> Future.failedFuture(failure);
  }

  /// Keeps all workers busy until the latch opens.
  void holdWorkers(CountDownLatch free) {
    for (int i = 0; i < VertxOptions.DEFAULT_WORKER_POOL_SIZE; i++) {
      vertx.executeBlocking(() -> free.await(1, TimeUnit.MINUTES), false);
    }
  }

  HttpResponse<String> get(String path) {
    return call("GET", path, null);
  }

  HttpResponse<String> post(String path, String body) {
    return call("POST", path, body);
  }

  /// A call of Alice's; a body goes as JSON.
  HttpResponse<String> call(String method, String path, @Nullable String body) {
    byte[] bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
    return call(method, path, bytes, "authorization", "Bearer " + TOKEN);
  }

  HttpResponse<String> call(String method, String path, byte @Nullable [] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofMinutes(1))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    if (body != null && request.copy().build().headers().firstValue("content-type").isEmpty()) {
      request.header("content-type", "application/json");
    }
    try {
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (!madeUp) {
        Contract.saw(exchange(method, path, body, answer));
      }
      return answer;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Exchange exchange(
      String method, String path, byte @Nullable [] body, HttpResponse<String> answer) {
    return new Exchange(
        method,
        path,
        body == null ? null : new String(body, StandardCharsets.UTF_8),
        answer.statusCode(),
        answer.headers().firstValue("content-type"),
        answer.body());
  }

  /// The head of a request from its lines.
  public static String head(String... lines) {
    return String.join("\r\n", lines) + "\r\n\r\n";
  }

  /// Sends bytes as they are and reads until `until` has come or the server closes.
  public String raw(String request, String until) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      StringBuilder answer = new StringBuilder();
      for (int b; (b = socket.getInputStream().read()) >= 0; ) {
        answer.append((char) b);
        if (answer.indexOf(until) >= 0) {
          break;
        }
      }
      return answer.toString();
    }
  }

  int port() {
    return port;
  }

  /// A connection for bytes as they are.
  public Socket connect() throws IOException {
    return connectFrom("127.0.0.1");
  }

  /// The same from an address of loopback.
  public Socket connectFrom(String address) throws IOException {
    InetAddress own = InetAddress.getByName(address);
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, own, 0);
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    client.close();
    passwords.close();
    await(vertx.close());
  }
}
