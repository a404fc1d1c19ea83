package io.confab.socket;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.RedeemTicket;
import io.confab.account.AccountCommand.UpdateDevice;
import io.confab.account.outside.Bearer;
import io.confab.account.outside.BearerCommand;
import io.confab.account.outside.OutsideToken;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.config.Config;
import io.confab.limit.Limit;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientFrame.Hello;
import io.confab.protocol.CloseCode;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.Limits;
import io.confab.protocol.ServerFrame.Welcome;
import io.confab.protocol.ServerFrame.WelcomeRoom;
import io.confab.protocol.SessionId;
import io.confab.room.RoomCommand.BeginSession;
import io.confab.room.RoomCommand.Membership;
import io.confab.room.RoomCommand.Memberships;
import io.confab.room.RoomCommand.SessionBegin;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// From `hello` to `welcome`: which account it is, and where its rooms stand.
final class Greeting {
  private static final Logger LOG = LoggerFactory.getLogger(Greeting.class);

  private final SessionId session;
  private final SocketServices services;
  private final Outbound out;
  private final Optional<Bearer> bearer;

  Greeting(SessionId session, SocketServices services, Outbound out, Optional<Bearer> bearer) {
    this.session = session;
    this.services = services;
    this.out = out;
    this.bearer = bearer;
  }

  /// An account that may begin a session.
  ///
  /// @param token by which it goes on, if that is an outside one
  record Admitted(Authenticated signIn, @Nullable OutsideToken token) {}

  /// Refusals: `unauthorized`, `token_expired`, `invalid_field`, `rate_limited`, `forbidden` for a
  /// suspended account.
  Future<Admitted> identify(Hello hello) {
    return bearer(hello).compose(found -> admit(found, hello.device()));
  }

  private Future<Bearer> bearer(Hello hello) {
    Secret ticket = hello.ticket();
    Secret token = hello.token();
    if (ticket != null) {
      return services.bus().request(new RedeemTicket(ticket)).map(Bearer.OnDevice::new);
    }
    if (token != null) {
      return services.bus().request(new BearerCommand.Read(token));
    }
    return bearer
        .map(Future::succeededFuture)
        .orElseGet(
            () ->
                Future.failedFuture(
                    new Refusal(ErrorCode.UNAUTHORIZED, "a ticket or a token is needed")));
  }

  private Future<Admitted> admit(Bearer found, @Nullable DeviceInfo device) {
    return switch (found) {
      case Bearer.OnDevice(Authenticated signIn) -> {
        check(device, signIn.caller());
        services.limits().take(Limit.HELLOS, signIn.caller().account().toString());
        yield Future.succeededFuture(new Admitted(signIn, null));
      }
      case Bearer.Outside(OutsideToken token) -> {
        if (device == null) {
          throw Refusal.invalidField("device", "must stand beside an outside token");
        }
        services.limits().take(Limit.HELLOS, token.identity().name());
        yield services
            .bus()
            .request(new BearerCommand.Admit(token, device))
            .map(signIn -> new Admitted(signIn, token));
      }
    };
  }

  private void check(@Nullable DeviceInfo device, Caller caller) {
    if (device == null) {
      return;
    }
    if (device.deviceId() != null && !device.deviceId().equals(caller.device())) {
      throw Refusal.invalidField("device.device_id", "is not the device of the token");
    }
  }

  /// How the socket closes after a `hello` that was refused.
  static CloseCode closeCodeOf(Refusal refusal) {
    return switch (refusal.code()) {
      case UNAUTHORIZED, TOKEN_EXPIRED -> CloseCode.AUTHENTICATE;
      case UNAVAILABLE, RATE_LIMITED -> CloseCode.GOING_AWAY;
      case INTERNAL -> CloseCode.INTERNAL;
      case FORBIDDEN -> CloseCode.SUSPENDED;
      case INVALID_JSON,
          INVALID_FIELD,
          UNKNOWN_TYPE,
          TOO_LARGE,
          MUTED,
          BANNED,
          BLOCKED,
          ROOM_FULL,
          NO_SEAT,
          NOT_FOUND,
          METHOD_NOT_ALLOWED,
          CONFLICT,
          IDEMPOTENCY_MISMATCH,
          DEVICE_MISMATCH,
          ENCRYPTED,
          GONE,
          PRECONDITION_FAILED,
          UNSUPPORTED_MEDIA_TYPE,
          SLOW_MODE ->
          CloseCode.PROTOCOL;
    };
  }

  /// Reads where the rooms stand and whether the sign-in still does, after everything that
  /// happens to the account is heard already. Refusal: `unauthorized`.
  ///
  /// @param device as the client names it
  Future<AuthenticatedSession> welcome(
      @Nullable String re, @Nullable DeviceInfo device, Authorisation authorisation) {
    int most = services.config().limits().roomsPerAccount();
    Caller caller = authorisation.caller();
    return services
        .bus()
        .request(new BeginSession(session, authorisation.signIn(), most))
        .map(
            begin -> {
              update(caller, device, begin);
              return welcomed(re, authorisation, begin);
            });
  }

  private void update(Caller caller, @Nullable DeviceInfo device, SessionBegin stored) {
    if (device == null
        || (device.name().equals(stored.deviceName())
            && device.platform().equals(stored.devicePlatform()))) {
      return;
    }
    services
        .bus()
        .request(new UpdateDevice(caller, device.name(), device.platform()))
        .onFailure(failure -> LOG.debug("A device's name was not stored", failure));
  }

  private AuthenticatedSession welcomed(
      @Nullable String re, Authorisation authorisation, SessionBegin begin) {
    Memberships memberships = begin.memberships();
    services.loop().feeds().enter(memberships.epoch());
    if (!memberships.epoch().equals(services.loop().feeds().epoch())) {
      throw Refusal.unavailable("the database is that of an older epoch");
    }
    Caller caller = authorisation.caller();
    Runnable compare = () -> services.loop().accounts().compare(caller.account());
    Comparison comparison = new Comparison(begin.changes(), compare);
    KnownRooms known = new KnownRooms();
    SessionMarkers markers =
        new SessionMarkers(
            caller.account(), session, out, begin.changes(), known, loop(caller.account()));
    RoomStreams streams =
        new RoomStreams(
            caller.account(), out, services.streams(), known, markers, comparison::again);
    streams.welcomed(memberships);
    out.send(frame(re, caller, memberships));
    return new AuthenticatedSession(
        session,
        begin.fence(),
        authorisation,
        streams,
        markers,
        new SessionQueue(
            caller,
            out,
            services.loop().queues(),
            streams,
            services.config().queues().unacknowledged()),
        new ResumeRequest(streams, out, memberships.epoch(), services.config().limits()),
        comparison);
  }

  private SessionMarkers.Loop loop(AccountId account) {
    return new SessionMarkers.Loop() {
      @Override
      public <R extends BusMessage> Future<R> request(Command<R> command) {
        return services.bus().request(command);
      }

      @Override
      public void compareAgain() {
        services.loop().accounts().compare(account);
      }

      @Override
      public void recount(RoomId room) {
        services.loop().unread().changed(account, room, Seq.ZERO);
      }
    };
  }

  private Welcome frame(@Nullable String re, Caller caller, Memberships memberships) {
    Config config = services.config();
    List<WelcomeRoom> rooms =
        memberships.rooms().stream().map(r -> room(r, memberships.epoch())).toList();
    return new Welcome(
        re,
        session,
        caller.account(),
        caller.device(),
        services.node(),
        services.clock().millis(),
        ServerFrame.FEATURE_LEVEL,
        new Limits(
            config.sockets().frameBytes(),
            config.limits().bodyBytes(),
            config.sockets().requests(),
            config.limits().roomsPerAccount()),
        rooms,
        memberships.more() ? true : null);
  }

  private static WelcomeRoom room(Membership membership, Epoch epoch) {
    return new WelcomeRoom(
        membership.room(),
        epoch,
        membership.seq(),
        membership.rev(),
        membership.marks().read(),
        membership.marks().unreadFrom(),
        membership.receipts());
  }
}
