package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.config.Secret;
import io.confab.protocol.ClientId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A live conversation: follows the rooms of an account in order and without repeats, and sends.
/// Lost connections are made anew by themselves; sends wait meanwhile.
///
/// Calls may come from any thread; the listener is called on one event loop. What is done when
/// is up to [SessionRules]; this class carries it out.
public final class ConfabClient {
  private static final long GOODBYE_MS = 2_000;

  private final ConfabApi api;
  private final ClientListener listener;
  private final Vertx vertx;
  private final Context context;
  private final LiveSocket socket;
  private final SessionRules rules;
  private final Retries retries;
  private final Deque<Action> actions = new ArrayDeque<>();
  private final Map<ClientId, PendingSend> pending = new HashMap<>();
  private Promise<Void> live = Promise.promise();
  private Secret token = new Secret("");
  private Future<Void> hungUp = Future.succeededFuture();
  private boolean closing;
  private int attempts;
  private long armedFor = Long.MAX_VALUE;
  private long timer = -1;

  /// @param api whose servers and sign-in are used
  public ConfabClient(ConfabApi api, ClientOptions options, ClientListener listener) {
    this.api = api;
    this.listener = listener;
    this.vertx = api.vertx();
    this.context = vertx.getOrCreateContext();
    this.socket = new LiveSocket(vertx, new SocketEvents());
    SecureRandom random = new SecureRandom();
    this.rules = new SessionRules(api.addresses().count(), options, random, actions::add);
    this.retries = new Retries(vertx, new Backoff(random));
  }

  /// Connects and keeps connected; tries at once where the client was waiting. Done when rooms
  /// are followed; fails with [ApiException] when the client stopped before. The listener is told
  /// of either first.
  public Future<Void> connect() {
    return ask(() -> {
          if (live.future().failed() && !closing) {
            live = Promise.promise();
          }
          rules.connect(now());
          return live.future();
        })
        .compose(connected -> connected);
  }

  /// Where this client stands in each room that it follows.
  public Future<List<RoomPosition>> rooms() {
    return ask(rules::positions);
  }

  /// Sends a message, at once or when connected; messages to one room keep their order as long
  /// as the server stores each at the first try. Those that are not settled when the client stops
  /// fail as `closed`, and so do those of a client that has stopped, until `connect` is called.
  public PendingSend send(RoomId room, String body) {
    return send(room, body, null, null);
  }

  /// @param replyTo a message of the room
  public PendingSend send(RoomId room, String body, @Nullable Seq replyTo, @Nullable String topic) {
    Outgoing message = new Outgoing(room, newClientId(), body, replyTo, topic);
    PendingSend send = new PendingSend(message);
    run(
        () -> {
          pending.put(message.clientId(), send);
          rules.send(message, now());
        });
    return send;
  }

  /// Edits a message of one's own; tried again for a while when the answer is lost.
  public Future<ChatMessage> edit(RoomId room, Seq seq, String body) {
    ClientId clientId = newClientId();
    return retries.run(() -> api.edit(room, seq, clientId, body));
  }

  /// Deletes a message; one that is deleted already is taken as done.
  public Future<Void> delete(RoomId room, Seq seq) {
    return retries.run(() -> api.delete(room, seq));
  }

  /// Signs off, for good; the `ConfabApi` stays open. Sends that are not settled fail as
  /// `closed`; what becomes of them is not known.
  public Future<Void> close() {
    return ask(() -> {
          closing = true;
          rules.close(now());
          drain();
          return hungUp
              .timeout(GOODBYE_MS, TimeUnit.MILLISECONDS)
              .transform(_ -> socket.shutdown());
        })
        .compose(closed -> closed);
  }

  private static ClientId newClientId() {
    return new ClientId(UUID.randomUUID().toString());
  }

  private <T> Future<T> ask(Supplier<T> question) {
    Promise<T> answer = Promise.promise();
    run(
        () -> {
          try {
            answer.complete(question.get());
          } catch (RuntimeException fault) {
            answer.fail(fault);
          }
        });
    return answer.future();
  }

  /// Tells the rules something, carries out what they decide and comes back when they are due,
  /// whatever was thrown on the way.
  private void run(Runnable input) {
    context.runOnContext(
        _ -> {
          try {
            input.run();
          } finally {
            drain();
            arm();
          }
        });
  }

  private void drain() {
    while (!actions.isEmpty()) {
      Action next = actions.removeFirst();
      try {
        perform(next);
      } catch (RuntimeException fault) {
        report(fault);
      }
    }
  }

  /// Leaves a fault, mostly of the listener, to the handler of the context; the rest goes on.
  private void report(RuntimeException fault) {
    context.runOnContext(
        _ -> {
          throw fault;
        });
  }

  private void arm() {
    OptionalLong deadline = rules.deadline();
    if (deadline.isPresent() && deadline.getAsLong() < armedFor) {
      vertx.cancelTimer(timer);
      armedFor = deadline.getAsLong();
      timer = vertx.setTimer(Math.max(1, armedFor - now()), _ -> ring());
    }
  }

  private void ring() {
    run(
        () -> {
          armedFor = Long.MAX_VALUE;
          rules.tick(now());
        });
  }

  private static long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  private void perform(Action action) {
    switch (action) {
      case Action.Connect(int server) -> open(server);
      case Action.Transmit(ObjectNode frame) -> transmit(frame);
      case Action.HangUp() -> hangUp();
      case Action.RenewToken() -> renew();
      case Action.ReadHistory read -> readHistory(read);
      case Action.ReadEvents read -> readEvents(read);
      case Action.ListRooms() -> listRooms();
      case Action.Tell tell -> tell(tell);
      case Action.Added(RoomPosition room) -> listener.roomAdded(room);
      case Action.Removed(RoomId room, String reason) -> listener.roomRemoved(room, reason);
      case Action.Update(RoomUpdate update) -> listener.update(update);
      case Action.Stored(SentMessage message) -> stored(message);
      case Action.Failed(ClientId clientId, ApiException refusal) -> failed(clientId, refusal);
    }
  }

  private void open(int server) {
    int mine = ++attempts;
    api.signIn()
        .current()
        .onSuccess(
            kept ->
                context.runOnContext(
                    _ -> {
                      if (attempts == mine) {
                        token = kept.accessToken();
                        socket.open(api.addresses().at(server));
                      }
                    }))
        .onFailure(failure -> run(() -> unopened(mine, refusal(failure))));
  }

  /// The sign-in could not be read: that it is over is only one of the reasons.
  private void unopened(int attempt, ApiException failure) {
    if (attempt != attempts) {
      return;
    }
    if (failure.is(ErrorCode.UNAUTHORIZED)) {
      rules.tokenRefused();
    } else {
      rules.unopened(now());
    }
  }

  private void hangUp() {
    attempts++;
    hungUp = socket.drop();
  }

  private void transmit(ObjectNode frame) {
    boolean isHello = frame.path("type").asText().equals("hello");
    socket.write(isHello ? frame.put("token", token.value()) : frame);
  }

  private void renew() {
    api.signIn()
        .renew(token)
        .onSuccess(_ -> run(() -> rules.tokenRenewed(now())))
        .onFailure(
            failure ->
                run(
                    () -> {
                      if (refusal(failure).is(ErrorCode.UNAUTHORIZED)) {
                        rules.tokenRefused();
                      } else {
                        rules.tokenUnavailable(now());
                      }
                    }));
  }

  private void readHistory(Action.ReadHistory read) {
    api.history(read.room(), HistoryQuery.newest())
        .onSuccess(page -> run(() -> rules.historyRead(read, page, now())))
        .onFailure(failure -> run(() -> rules.readFailed(read, refusal(failure), now())));
  }

  private void readEvents(Action.ReadEvents read) {
    api.events(read.room(), read.epoch(), read.after())
        .onSuccess(page -> run(() -> rules.eventsRead(read, page, now())))
        .onFailure(failure -> run(() -> rules.readFailed(read, refusal(failure), now())));
  }

  private void listRooms() {
    api.rooms()
        .onSuccess(
            rooms ->
                run(
                    () ->
                        rules.roomsListed(rooms.stream().map(ChatRoom::position).toList(), now())))
        .onFailure(_ -> run(() -> rules.listFailed(now())));
  }

  private static ApiException refusal(Throwable failure) {
    return failure instanceof ApiException refusal
        ? refusal
        : ApiException.local(ApiException.UNREACHABLE, failure.toString());
  }

  private void tell(Action.Tell tell) {
    try {
      listener.connectionChanged(tell.state(), tell.why(), tell.retryIn());
    } finally {
      tellWhoWaits(tell);
    }
  }

  private void tellWhoWaits(Action.Tell tell) {
    if (tell.state() == ConnectionState.LIVE) {
      live.tryComplete();
    } else if (live.future().succeeded()) {
      live = Promise.promise();
    }
    if (tell.state() == ConnectionState.STOPPED) {
      live.tryFail(ApiException.local(ApiException.CLOSED, tell.why()));
    }
  }

  private void stored(SentMessage message) {
    PendingSend send = pending.remove(message.clientId());
    if (send != null) {
      send.settle(message);
      listener.sendChanged(send);
    }
  }

  private void failed(ClientId clientId, ApiException refusal) {
    PendingSend send = pending.remove(clientId);
    if (send != null) {
      send.fail(refusal);
      listener.sendChanged(send);
    }
  }

  private final class SocketEvents implements LiveSocket.Events {
    @Override
    public void opened() {
      run(() -> rules.opened(now()));
    }

    @Override
    public void unopened() {
      run(() -> rules.unopened(now()));
    }

    @Override
    public void frame(JsonNode frame) {
      run(() -> rules.frame(frame, now()));
    }

    @Override
    public void closed(int code) {
      run(() -> rules.closed(code, now()));
    }
  }
}
