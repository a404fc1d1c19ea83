package io.confab.socket;

import io.confab.account.AccountCommand.FindByIds;
import io.confab.account.outside.Bearer;
import io.confab.account.outside.OutsideToken;
import io.confab.feed.AccountSignal;
import io.confab.limit.Limit;
import io.confab.message.MessageRequests;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientFrame;
import io.confab.protocol.ClientFrame.Bye;
import io.confab.protocol.ClientFrame.Hello;
import io.confab.protocol.ClientFrame.MessageDelete;
import io.confab.protocol.ClientFrame.MessageEdit;
import io.confab.protocol.ClientFrame.MessageSend;
import io.confab.protocol.ClientFrame.Ping;
import io.confab.protocol.ClientFrame.Resume;
import io.confab.protocol.ClientFrame.Token;
import io.confab.protocol.ClientFrameReader.Request;
import io.confab.protocol.CloseCode;
import io.confab.protocol.Epoch;
import io.confab.protocol.Refusal;
import io.confab.protocol.ServerFrame.AccountChanged;
import io.confab.protocol.ServerFrame.ErrorFrame;
import io.confab.protocol.ServerFrame.Pong;
import io.confab.protocol.SessionId;
import io.confab.socket.Greeting.Admitted;
import io.confab.time.Timers;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One open WebSocket: who it is, and what becomes of each of its frames. Belongs to one event
/// loop.
final class Session {
  private final SessionId id;
  private final SocketServices services;
  private final Outbound out;
  private final Greeting greeting;
  private final Sends sends;
  private final Changes changes;
  private @Nullable AccountId joined;
  private @Nullable AuthenticatedSession welcomed;
  private Future<Void> greetingDone = Future.succeededFuture();
  private boolean greeted;
  private boolean signalledEarly;
  private boolean closed;

  /// @param bearer who the upgrade said it is
  Session(SessionId id, SocketServices services, Outbound out, Optional<Bearer> bearer) {
    this.id = id;
    this.services = services;
    this.out = out;
    MessageRequests messages =
        new MessageRequests(services.bus(), services.limits(), services.meters());
    this.sends = new Sends(messages, services.limits(), out);
    this.changes = new Changes(messages, services.limits(), out);
    this.greeting = new Greeting(id, services, out, bearer);
  }

  /// Whether the client has said hello; how that ends is the greeting's matter.
  boolean isGreeted() {
    return greeted;
  }

  /// A text frame came; done when it is answered.
  Future<Void> text(String text) {
    if (closed) {
      return Future.succeededFuture();
    }
    return Future.succeededFuture(text).map(this::read).compose(this::answer);
  }

  private Request read(String text) {
    try {
      return services.frames().read(text);
    } catch (Refusal refusal) {
      return new Request(null, null, refusal, null);
    }
  }

  private Future<Void> answer(Request request) {
    Refusal refusal = request.refusal();
    ClientFrame frame = request.frame();
    Future<Void> answered =
        refusal != null || frame == null
            ? refused(refusal)
            : Future.succeededFuture(frame).compose(f -> dispatch(request.id(), f));
    return answered.otherwise(
        failure -> {
          out.send(ErrorFrame.of(request.id(), Refusals.of(failure), request.clientId()));
          return null;
        });
  }

  /// What cannot be read counts as a frame all the same.
  private Future<Void> refused(@Nullable Refusal refusal) {
    if (welcomed != null) {
      services.limits().count(Limit.FRAMES, device(welcomed));
    }
    return Future.failedFuture(refusal);
  }

  private static String device(AuthenticatedSession session) {
    return session.caller().account() + "-" + session.caller().device().value();
  }

  private Future<Void> dispatch(@Nullable String re, ClientFrame frame) {
    if (frame instanceof Hello hello) {
      return hello(re, hello);
    }
    if (!greeted) {
      close(CloseCode.PROTOCOL, "hello comes first");
      return Future.succeededFuture();
    }
    return greetingDone.compose(_ -> afterHello(re, frame));
  }

  private Future<Void> afterHello(@Nullable String re, ClientFrame frame) {
    AuthenticatedSession session = welcomed;
    if (session == null) {
      return Future.succeededFuture(); // the hello was refused and the socket closes
    }
    services.limits().take(Limit.FRAMES, device(session));
    return switch (frame) {
      case Hello _ -> Future.succeededFuture();
      case Resume resume -> resume(re, session, resume);
      case MessageSend send -> sends.send(re, session.caller(), send);
      case MessageEdit edit -> changes.edit(re, session.caller(), edit);
      case MessageDelete delete -> changes.delete(re, session.caller(), delete);
      case Token(var token) -> session.renew(re, token);
      case Ping _ -> pong(re);
      case Bye _ -> bye();
    };
  }

  private Future<Void> resume(@Nullable String re, AuthenticatedSession session, Resume resume) {
    services.limits().take(Limit.RESUMES, session.caller().account().toString());
    return session.resume(re, resume);
  }

  private Future<Void> hello(@Nullable String re, Hello hello) {
    if (greeted) {
      return Future.failedFuture(Refusal.invalidField("type", "hello comes once"));
    }
    greeted = true;
    greetingDone = greet(re, hello);
    return greetingDone;
  }

  private Future<Void> greet(@Nullable String re, Hello hello) {
    return greeting
        .identify(hello)
        .compose(this::join)
        .compose(admitted -> greeting.welcome(re, hello.device(), authorised(admitted)))
        .map(this::welcomed)
        .recover(failure -> refuseHello(re, Refusals.of(failure)));
  }

  private Authorisation authorised(Admitted admitted) {
    Timers timers = services.loop().timers();
    OutsideToken token = admitted.token();
    return new Authorisation(
        admitted.signIn(),
        services.bus(),
        timers,
        code -> close(code, code == CloseCode.SUSPENDED ? "suspended" : "revoked"),
        token == null
            ? null
            : new Expiry(
                token,
                timers,
                services.clock(),
                () -> close(CloseCode.AUTHENTICATE, "the token is over")));
  }

  private Future<Admitted> join(Admitted admitted) {
    if (closed) {
      return Future.failedFuture(Refusal.unavailable("the socket is closed"));
    }
    AccountId account = admitted.signIn().caller().account();
    joined = account;
    return services.loop().join(account, this).map(admitted);
  }

  private @Nullable Void welcomed(AuthenticatedSession session) {
    if (closed) {
      leave(session);
      return null;
    }
    welcomed = session;
    out.welcomed();
    session.begin();
    services.registry().opened(id, session.caller());
    if (signalledEarly) {
      session.reconcile();
    }
    return null;
  }

  /// Whether its client was told positions of an older epoch than this.
  boolean isStaleUnder(Epoch newer) {
    AuthenticatedSession session = welcomed;
    return session != null && session.isStaleUnder(newer);
  }

  /// A refused `hello` is answered, then the socket closes.
  private Future<Void> refuseHello(@Nullable String re, Refusal refusal) {
    out.send(ErrorFrame.of(re, refusal, null));
    CloseCode code = Greeting.closeCodeOf(refusal);
    close(code, refusal.code().wire());
    return Future.succeededFuture();
  }

  private Future<Void> pong(@Nullable String re) {
    out.send(new Pong(re, services.clock().millis()));
    return Future.succeededFuture();
  }

  private Future<Void> bye() {
    close(CloseCode.NORMAL, "bye");
    return Future.succeededFuture();
  }

  /// A doorbell of the account rang.
  void signal(AccountSignal signal) {
    AuthenticatedSession session = welcomed;
    if (session == null) {
      signalledEarly = true;
      return;
    }
    if (session.isDisplacedBy(signal)) {
      close(CloseCode.DISPLACED, "displaced");
    } else if (signal instanceof AccountSignal.Renamed renamed) {
      tellName(renamed.renamed());
    } else {
      session.signal(signal);
    }
  }

  /// Reads what somebody is called now; a client reads names anew when it comes back, so nothing
  /// is made of a failure.
  private void tellName(AccountId renamed) {
    services
        .bus()
        .request(new FindByIds(List.of(renamed)))
        .onSuccess(
            found ->
                found
                    .accounts()
                    .forEach(
                        account ->
                            out.send(
                                new AccountChanged(account.accountId(), account.displayName()))));
  }

  /// The doorbell is heard once more, by a digest: that the session was displaced may be
  /// outdated, so the registry is asked.
  void signalAgain(AccountSignal signal) {
    AuthenticatedSession session = welcomed;
    if (session == null || !session.isDisplacedBy(signal)) {
      signal(signal);
      return;
    }
    services
        .registry()
        .isDisplaced(id)
        .onSuccess(
            displaced -> {
              if (displaced) {
                close(CloseCode.DISPLACED, "displaced");
              }
            });
  }

  /// Doorbells may have been missed. Done when that was looked up.
  Future<Void> reconcile() {
    AuthenticatedSession session = welcomed;
    if (session == null) {
      signalledEarly = true;
      return Future.succeededFuture();
    }
    return session.reconcile();
  }

  void close(CloseCode code, String reason) {
    if (!closed) {
      out.close(code, reason);
      closed();
    }
  }

  /// The socket is gone.
  void closed() {
    if (closed) {
      return;
    }
    closed = true;
    if (joined != null) {
      services.loop().left(joined, this);
    }
    if (welcomed != null) {
      leave(welcomed);
    }
  }

  private void leave(AuthenticatedSession session) {
    session.close();
    services.registry().closed(id, session.caller());
  }
}
