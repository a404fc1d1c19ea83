package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A live conversation: follows the rooms of an account in order and without repeats, and sends.
/// A lost connection is replaced by a new one; sends wait meanwhile.
///
/// Calls may come from any thread. The listener is called on one event loop, and so are the
/// subscribers, unless they request updates elsewhere; none may block that loop. [SessionRules]
/// decide what is done when; this class carries it out.
public final class ConfabClient {
  private static final long GOODBYE_MS = 2_000;

  private final ConfabApi api;
  private final ClientListener listener;
  private final LiveSocket socket;
  private final RulesLoop loop;
  private final RepeatedCalls retries;
  private final UpdateStream updates = new UpdateStream();
  private final PendingSends sends;
  private final RoomReads reads;
  private final Entrances entrances = new Entrances();
  private Promise<Void> live = Promise.promise();
  private Secret token = new Secret("");
  private Future<Void> hungUp = Future.succeededFuture();
  private boolean closing;
  private int attempts;

  /// @param api whose servers and sign-in are used
  public ConfabClient(ConfabApi api, ClientOptions options, ClientListener listener) {
    this.api = api;
    this.listener = listener;
    SecureRandom random = new SecureRandom();
    this.loop =
        new RulesLoop(
            api.vertx(),
            actions -> new SessionRules(api.addresses().count(), options, random, actions),
            this::perform);
    this.socket = new LiveSocket(api.vertx(), new SocketEvents());
    this.reads = new RoomReads(api, loop);
    this.sends = new PendingSends(listener);
    this.retries = new RepeatedCalls(api.vertx(), SessionRules.backoff(random));
  }

  /// Connects and keeps connected; tries at once where the client was waiting. Done when rooms
  /// are followed; fails with [ApiException] when the client stopped before. The listener is called
  /// first in either case.
  public Future<Void> connect() {
    return loop.ask(
            (rules, now) -> {
              if (live.future().failed() && !closing) {
                live = Promise.promise();
              }
              rules.connect(now);
              return live.future();
            })
        .compose(connected -> connected);
  }

  /// What is new in all rooms, from the subscription on, in order within each room; ends when the
  /// client is closed. Subscribe before `connect` to miss nothing of this client.
  ///
  /// An update waits until it is requested. A subscriber is called on the client's event loop, or
  /// where it requests updates that wait. One that leaves more than 1,024 of them waiting gets
  /// these and then fails with [ApiException#BEHIND]: it subscribes again and reads what it missed
  /// with [ConfabApi#history].
  public Flowable<RoomUpdate> updates() {
    return updates.where(_ -> true);
  }

  /// The same of one room; what other rooms bring does not count for the limit.
  public Flowable<RoomUpdate> updates(RoomId room) {
    return updates.where(update -> update.roomId().equals(room));
  }

  /// Where this client stands in each room that it follows.
  public Future<List<RoomPosition>> rooms() {
    return loop.ask((rules, _) -> rules.positions());
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
    loop.give(
        (rules, now) -> {
          sends.add(send);
          rules.send(message, now);
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

  /// Everything up to this message of a room that is followed was read. The server is told the
  /// highest, once a second at most, and after a lost connection again.
  public void markRead(RoomId room, Seq seq) {
    loop.give((rules, now) -> rules.read(room, seq, now));
  }

  /// This message and what follows is to be seen as unread, until something later is read; tried
  /// again for a while when the answer is lost.
  public Future<ReadMarker> markUnread(RoomId room, Seq seq) {
    return loop.ask(
            (rules, _) -> {
              rules.forgetRead(room);
              return room;
            })
        .compose(_ -> retries.run(() -> api.markUnread(room, seq)));
  }

  /// The person types in this room; to be called as often as they press a key. Others are told at
  /// most every three seconds, and not at all without a connection. A message sent to the room ends
  /// it.
  public void typing(RoomId room) {
    loop.give((rules, now) -> rules.typing(room, now));
  }

  /// The person types no longer; others would see that after five seconds.
  public void stopTyping() {
    loop.give((rules, now) -> rules.stopTyping(now));
  }

  /// Has the listener told whether these people are there, and those of these rooms or how many
  /// of them: how it stands now, and what changes. It takes the place of the watch before; two
  /// empty sets end it. On each connection it begins anew, and until [PresenceSignal.Began] what
  /// was told is old.
  ///
  /// @param accounts 1,000 at most
  /// @param rooms in which this account is, 100 at most; a watch that the server refuses ends
  public void watch(Set<AccountId> accounts, Set<RoomId> rooms) {
    loop.give((rules, _) -> rules.watch(accounts, rooms));
  }

  /// Enters a room with a capacity, or takes up what is kept there; done when the server says how
  /// the account stands, which is then told as [RoomSignal.OfSeat] until it leaves. Who waits gets
  /// in by itself. After a lost connection seat or place is taken up again, or asked for anew.
  /// Fails with [ApiException] when the server refuses, or the client stops.
  public Future<RoomSignal.Standing> enter(RoomId room) {
    return loop.ask(
            (rules, now) -> {
              Future<RoomSignal.Standing> entered = entrances.await(room);
              rules.enter(room, now);
              return entered;
            })
        .compose(entered -> entered);
  }

  /// Gives up seat or place, at once or when connected; [RoomSignal.SeatLost] tells when
  /// that is done.
  public void exit(RoomId room) {
    loop.give((rules, now) -> rules.exit(room, now));
  }

  /// What waits for this device in sealed rooms.
  public DeviceQueue queue() {
    return new DeviceQueue(loop);
  }

  /// Signs off, for good; the `ConfabApi` stays open. Sends that are not settled fail as
  /// `closed`; what becomes of them is not known.
  public Future<Void> close() {
    return loop.ask(
            (rules, now) -> {
              closing = true;
              rules.close(now);
              return closing;
            })
        .compose(
            _ -> {
              updates.complete();
              return hungUp
                  .timeout(GOODBYE_MS, TimeUnit.MILLISECONDS)
                  .transform(_ -> socket.shutdown());
            });
  }

  private static ClientId newClientId() {
    return new ClientId(UUID.randomUUID().toString());
  }

  private void perform(Action action) {
    switch (action) {
      case Action.Connect(int server) -> open(server);
      case Action.Transmit(ObjectNode frame) -> transmit(frame);
      case Action.HangUp() -> hangUp();
      case Action.RenewToken() -> renew();
      case Action.ReadHistory read -> reads.history(read);
      case Action.ReadEvents read -> reads.events(read);
      case Action.ListRooms() -> reads.rooms();
      case Action.StateChanged change -> stateChanged(change);
      case Action.Added(RoomPosition room) -> listener.roomAdded(room);
      case Action.Removed(RoomId room, String reason) -> listener.roomRemoved(room, reason);
      case Action.Update(RoomUpdate update) -> updates.publish(update);
      case Action.Signal(RoomSignal signal) -> signalled(signal);
      case Action.Watched(PresenceSignal signal) -> listener.present(signal);
      case Action.Queue(QueueEvent event) -> listener.queued(event);
      case Action.NotEntered(RoomId room, ApiException refusal) -> entrances.refused(room, refusal);
      case Action.Stored(SentMessage message) -> sends.stored(message);
      case Action.Delayed _ -> {} // programs wait for the outcome
      case Action.Failed(ClientId clientId, ApiException refusal) ->
          sends.failed(clientId, refusal);
    }
  }

  private void signalled(RoomSignal signal) {
    try {
      listener.signalled(signal);
    } finally {
      if (signal instanceof RoomSignal.Standing standing) {
        entrances.entered(standing);
      }
    }
  }

  private void open(int server) {
    int mine = ++attempts;
    api.signIn()
        .current()
        .onSuccess(
            kept ->
                loop.give(
                    (_, _) -> {
                      if (attempts == mine) {
                        token = kept.accessToken();
                        socket.open(api.addresses().at(server));
                      }
                    }))
        .onFailure(
            failure ->
                loop.give((rules, now) -> unopened(rules, mine, ApiException.of(failure), now)));
  }

  /// The sign-in could not be read, perhaps because it is over.
  private void unopened(SessionRules rules, int attempt, ApiException failure, long now) {
    if (attempt != attempts) {
      return;
    }
    if (failure.is(ErrorCode.UNAUTHORIZED)) {
      rules.tokenRefused();
    } else {
      rules.unopened(now);
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
        .onSuccess(_ -> loop.give((rules, now) -> rules.tokenRenewed(now)))
        .onFailure(
            failure ->
                loop.give(
                    (rules, now) -> {
                      if (ApiException.of(failure).is(ErrorCode.UNAUTHORIZED)) {
                        rules.tokenRefused();
                      } else {
                        rules.tokenUnavailable(now);
                      }
                    }));
  }

  private void stateChanged(Action.StateChanged change) {
    try {
      listener.connectionChanged(change.state(), change.why(), change.retryIn());
    } finally {
      settleLive(change);
    }
  }

  private void settleLive(Action.StateChanged change) {
    if (change.state() == ConnectionState.LIVE) {
      live.tryComplete();
    } else if (live.future().succeeded()) {
      live = Promise.promise();
    }
    if (change.state() == ConnectionState.STOPPED) {
      live.tryFail(ApiException.local(ApiException.CLOSED, change.why()));
    }
  }

  private final class SocketEvents implements LiveSocket.Events {
    @Override
    public void opened() {
      loop.give((rules, now) -> rules.opened(now));
    }

    @Override
    public void unopened() {
      loop.give((rules, now) -> rules.unopened(now));
    }

    @Override
    public void frame(JsonNode frame) {
      loop.give((rules, now) -> rules.frame(frame, now));
    }

    @Override
    public void closed(int code) {
      loop.give((rules, now) -> rules.closed(code, now));
    }
  }
}
