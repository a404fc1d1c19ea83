package io.confab.socket;

import io.confab.account.AccountCommand.FindByIds;
import io.confab.account.ChangeCount;
import io.confab.account.ChosenStatus;
import io.confab.account.outside.Bearer;
import io.confab.account.outside.OutsideToken;
import io.confab.feed.AccountSignal;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientFrame.Hello;
import io.confab.protocol.CloseCode;
import io.confab.protocol.Epoch;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.AccountChanged;
import io.confab.protocol.ServerFrame.DevicesChanged;
import io.confab.protocol.ServerFrame.ErrorFrame;
import io.confab.protocol.ServerFrame.KeysLow;
import io.confab.protocol.SessionId;
import io.confab.socket.Frames.Asked;
import io.confab.socket.Frames.Request;
import io.confab.socket.Frames.Unreadable;
import io.confab.socket.Greeting.Admitted;
import io.confab.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One open WebSocket, from its first frame to its end. Belongs to one event loop.
final class Session {
  /// The client said so, or the sign-in is over.
  private static final Set<CloseCode> PARTING =
      Set.of(CloseCode.NORMAL, CloseCode.REVOKED, CloseCode.SUSPENDED);

  private final SessionId id;
  private final SocketServices services;
  private final Outbound out;
  private final Greeting greeting;
  private final ToldInvitations invitations;
  private State state = new Silent();
  private String counted;

  /// Whether it is over because somebody wants it to be.
  private boolean parting;

  private sealed interface State {}

  /// The client has said nothing yet.
  private record Silent() implements State {}

  /// The client has said hello, and is being looked up.
  private static final class Arriving implements State {
    private final Promise<Void> done = Promise.promise();

    /// Ends listening to the signals of the account.
    private Runnable leave = () -> {};

    private boolean signalled;
  }

  private record Open(AuthenticatedSession session) implements State {}

  private record Closed() implements State {}

  /// @param address for which frames count before `welcome`
  /// @param bearer who the upgrade said it is
  Session(
      SessionId id,
      SocketServices services,
      Outbound out,
      String address,
      Optional<Bearer> bearer) {
    this.id = id;
    this.services = services;
    this.out = out;
    this.counted = address;
    this.invitations = new ToldInvitations(services.bus(), this::send);
    this.greeting = new Greeting(id, services, out, bearer);
  }

  /// Whether the client has said hello; how that ends is the greeting's matter.
  boolean isGreeted() {
    return !(state instanceof Silent);
  }

  /// For whom its frames count.
  String countedAs() {
    return counted;
  }

  void send(ServerFrame frame) {
    out.send(frame);
  }

  Outbound out() {
    return out;
  }

  /// Says what it is to others.
  void show(PresenceStatus status) {
    if (state instanceof Open(var session)) {
      services.registry().shows(id, session.caller(), status);
    }
  }

  /// A text frame came; done when it is answered.
  Future<Void> text(String text) {
    if (state instanceof Closed) {
      return Future.succeededFuture();
    }
    Request request = services.frames().read(text);
    if (state instanceof Silent && request.content() instanceof Unreadable(Refusal why)) {
      refuseHello(request.id(), why);
      return Future.succeededFuture();
    }
    return Future.succeededFuture(request)
        .compose(this::answer)
        .onFailure(no -> send(ErrorFrame.of(request.id(), Refusals.of(no), request.clientId())))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  private Future<?> answer(Request request) {
    return switch (request.content()) {
      case Asked asked -> answer(request.id(), asked);
      case Unreadable(Refusal why) -> {
        services.frames().count(counted);
        yield Future.failedFuture(why);
      }
    };
  }

  private Future<?> answer(@Nullable String re, Asked asked) {
    return switch (state) {
      case Silent _ when asked.frame() instanceof Hello hello -> greet(re, hello);
      case Silent _ -> {
        close(CloseCode.PROTOCOL, "hello comes first");
        yield Future.succeededFuture();
      }
      case Arriving arriving -> arriving.done.future().compose(_ -> answer(re, asked));
      case Open(var session) -> services.frames().answer(new FrameCall(re, session, this), asked);
      case Closed _ -> Future.succeededFuture();
    };
  }

  private Future<Void> greet(@Nullable String re, Hello hello) {
    Arriving arriving = new Arriving();
    state = arriving;
    greeting
        .identify(hello)
        .compose(admitted -> join(arriving, admitted))
        .compose(admitted -> greeting.welcome(re, hello.device(), authorised(admitted)))
        .map(session -> welcomed(arriving, session))
        .otherwise(failure -> refuseHello(re, Refusals.of(failure)))
        .onComplete(arriving.done);
    return arriving.done.future();
  }

  private Authorisation authorised(Admitted admitted) {
    Timers timers = services.loop().wheel();
    OutsideToken token = admitted.token();
    return new Authorisation(
        admitted.signIn(),
        services.bus(),
        code -> close(code, code == CloseCode.SUSPENDED ? "suspended" : "revoked"),
        token == null
            ? null
            : new Expiry(
                token,
                timers,
                services.clock(),
                () -> close(CloseCode.AUTHENTICATE, "the token is over")));
  }

  private Future<Admitted> join(Arriving arriving, Admitted admitted) {
    if (state instanceof Closed) {
      return Future.failedFuture(Refusal.unavailable("the socket is closed"));
    }
    AccountId account = admitted.signIn().caller().account();
    arriving.leave = () -> services.loop().accounts().leave(account, this);
    return services.loop().accounts().join(account, this).map(admitted);
  }

  private @Nullable Void welcomed(Arriving arriving, AuthenticatedSession session) {
    if (state instanceof Closed) {
      session.close();
      return null;
    }
    state = new Open(session);
    counted = Frames.countedAs(session.caller());
    out.welcomed();
    session.begin();
    services.registry().opened(id, session.caller(), session.fence());
    session.whenClosed(arriving.leave);
    session.whenClosed(
        () -> services.registry().closed(id, session.caller(), session.fence(), parting));
    if (arriving.signalled) {
      services.loop().accounts().compare(session.caller().account());
    }
    return null;
  }

  /// A refused `hello` is answered, then the socket closes.
  private @Nullable Void refuseHello(@Nullable String re, Refusal refusal) {
    send(ErrorFrame.of(re, refusal, null));
    close(Greeting.closeCodeOf(refusal), refusal.code().wire());
    return null;
  }

  /// Whether its client knows positions of an older epoch than this.
  boolean isStaleUnder(Epoch newer) {
    return state instanceof Open(var session) && session.isStaleUnder(newer);
  }

  /// A signal of the account came.
  void signal(AccountSignal signal) {
    switch (state) {
      case Arriving arriving -> arriving.signalled = true;
      case Open(var session) when session.isDisplacedBy(signal) ->
          close(CloseCode.DISPLACED, "displaced");
      case Open _ when signal instanceof AccountSignal.Renamed renamed ->
          sendName(renamed.renamed());
      case Open _ when signal instanceof AccountSignal.DevicesChanged(var account, var version) ->
          send(new DevicesChanged(account, version));
      case Open _
          when signal instanceof AccountSignal.OtherDevicesChanged(_, var other, var version) ->
          send(new DevicesChanged(other, version));
      case Open(var session)
          when signal instanceof AccountSignal.KeysLow(_, var device, var oneTimeKeys) -> {
        if (device.equals(session.caller().device())) {
          send(new KeysLow(oneTimeKeys));
        }
      }
      case Open _ when signal instanceof AccountSignal.Undelivered lost ->
          send(
              new ServerFrame.Undelivered(
                  lost.room(), lost.reader(), lost.seq(), "failed", lost.reason()));
      case Open _ when signal instanceof AccountSignal.Invited(var account, var room) ->
          invitations.look(account, room);
      case Open(var session)
          when signal instanceof AccountSignal.StatusSet(_, var status, var number) ->
          take(session, new ChosenStatus(number, status));
      case Open(var session) -> session.signal(signal);
      case Silent _, Closed _ -> {}
    }
  }

  /// Its account chose what all its sessions are. What the session said after that stays when it
  /// comes again.
  private void take(AuthenticatedSession session, ChosenStatus chosen) {
    PresenceStatus status = chosen.status();
    if (session.hears(chosen) && status != null) {
      services.registry().shows(id, session.caller(), status);
    }
  }

  /// How its account stands in a room changed.
  ///
  /// @param news for the client, unless it is that of the session `but`
  @SuppressWarnings("ReferenceEquality") // a session is itself alone
  void seat(RoomId room, @Nullable ServerFrame news, @Nullable AuthenticatedSession but) {
    if (state instanceof Open(var session)) {
      session.seat(room, session == but ? null : news);
    }
  }

  /// Signals of seats and queues may have been missed.
  void missedSignals() {
    if (state instanceof Open(var session)) {
      session.missedSignals();
    }
  }

  /// Reads and sends what somebody is called now. A client that reconnects reads all names anew,
  /// so a failure is ignored.
  private void sendName(AccountId renamed) {
    services
        .bus()
        .request(new FindByIds(List.of(renamed)))
        .onSuccess(
            found ->
                found
                    .accounts()
                    .forEach(
                        account ->
                            send(new AccountChanged(account.accountId(), account.displayName()))));
  }

  /// Signals may have been missed: looks what has changed if anything has. Fails when that has to
  /// be tried again.
  Future<Void> compare(ChangeCount now) {
    return switch (state) {
      case Open(var session) -> {
        take(session, now.chosen());
        yield session.compare(now);
      }
      case Arriving arriving -> {
        arriving.signalled = true;
        yield Future.succeededFuture();
      }
      case Silent _, Closed _ -> Future.succeededFuture();
    };
  }

  /// Has it compared even if the account has not changed.
  void compareAgain() {
    if (state instanceof Open(var session)) {
      session.compareAgain();
    }
  }

  void close(CloseCode code, String reason) {
    if (!(state instanceof Closed)) {
      parting = PARTING.contains(code);
      out.close(code, reason);
      closed();
    }
  }

  /// The socket is gone.
  void closed() {
    State last = state;
    state = new Closed();
    switch (last) {
      case Silent _, Closed _ -> {}
      case Arriving arriving -> arriving.leave.run();
      case Open(var session) -> session.close();
    }
  }
}
