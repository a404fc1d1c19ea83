package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.CloseCode;
import io.confab.time.Backoff;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The rules of the connection: to which server, when to try again, and whether it is alive.
final class Link {
  private static final long CONNECT_MS = 10_000;
  private static final long GREET_MS = 15_000;
  private static final long QUIET_MS = 20_000;
  private static final long PONG_MS = 10_000;
  private static final long PROBE_MS = 3_000;
  private static final int STOPS_FROM = 4500;
  private static final int STOPS_BEFORE = 5000;

  private enum State {
    STOPPED,
    RENEWING,
    OPENING,
    GREETING,
    LIVE,
    WAITING
  }

  private final int servers;
  private final Backoff backoff;
  private final Consumer<Action> out;
  private State state = State.STOPPED;
  private int server;
  private int failures;
  private long deadline;
  private boolean pinged;
  private @Nullable JsonNode goodbye;

  /// Whether the next try needs new tokens.
  private boolean renewFirst;

  /// Whether the tokens are new and no server has accepted them yet.
  private boolean renewed;

  Link(int servers, Backoff backoff, Consumer<Action> out) {
    this.servers = servers;
    this.backoff = backoff;
    this.out = out;
  }

  /// Connects, at once where it was waiting.
  void connect(long now) {
    if (state == State.STOPPED || state == State.WAITING) {
      next(now);
    }
  }

  private void next(long now) {
    report(ConnectionState.CONNECTING, "", 0);
    if (renewFirst) {
      state = State.RENEWING;
      out.accept(new Action.RenewToken());
    } else {
      open(now);
    }
  }

  private void open(long now) {
    state = State.OPENING;
    goodbye = null;
    deadline = now + CONNECT_MS;
    out.accept(new Action.Connect(server));
  }

  void opened(long now) {
    if (state == State.OPENING) {
      state = State.GREETING;
      deadline = now + GREET_MS;
      out.accept(new Action.Transmit(ClientJson.object().put("type", "hello").put("id", "hello")));
    }
  }

  /// Whether a socket is open.
  boolean isOpen() {
    return state == State.GREETING || state == State.LIVE;
  }

  /// The server knows who this is.
  void welcomed() {
    renewed = false;
  }

  /// Rooms are followed.
  void live(long now) {
    if (state == State.GREETING) {
      state = State.LIVE;
      failures = 0;
      received(now);
      report(ConnectionState.LIVE, "", 0);
    }
  }

  /// A frame was received.
  void received(long now) {
    if (state == State.LIVE) {
      pinged = false;
      deadline = now + QUIET_MS;
    }
  }

  /// The machine slept, or its network changed: it is found out now whether this connection works.
  void probe(long now) {
    if (state != State.LIVE) {
      return;
    }
    if (pinged) {
      deadline = Math.min(deadline, now + PROBE_MS);
    } else {
      ping(now + PROBE_MS);
    }
  }

  private void ping(long until) {
    pinged = true;
    deadline = until;
    out.accept(new Action.Transmit(ClientJson.object().put("type", "ping")));
  }

  void goodbye(JsonNode frame) {
    goodbye = frame;
  }

  /// No socket could be opened.
  void unopened(long now) {
    if (state == State.OPENING) {
      moveOn();
      waitFor("unreachable", backOff(), now);
    }
  }

  /// The socket is closed.
  ///
  /// @param code of the close frame; 1006 where there was none
  void closed(int code, long now) {
    if (!isOpen()) {
      return;
    }
    JsonNode last = goodbye;
    int reason = last == null ? code : last.path("code").asInt(code);
    String why = last == null ? why(code) : last.path("reason").asText(why(reason));
    if (isFinal(reason) || (last != null && !last.path("resume").asBoolean(true))) {
      stop(why);
    } else if (reason == CloseCode.AUTHENTICATE.code()) {
      unauthorized(why, now);
    } else {
      if (last == null || reason == CloseCode.GOING_AWAY.code()) {
        moveOn();
      }
      waitFor(why, delay(last == null ? null : last.get("reconnect_after_ms")), now);
    }
  }

  /// The wait that the server asks for. A connection that never was live counts as a failure, and
  /// the server can only lengthen the wait for it.
  private long delay(@Nullable JsonNode after) {
    if (after == null) {
      return backOff();
    }
    return state == State.LIVE ? after.asLong() : Math.max(after.asLong(), backOff());
  }

  private static boolean isFinal(int code) {
    return code == CloseCode.DISPLACED.code() || (code >= STOPS_FROM && code < STOPS_BEFORE);
  }

  private static String why(int code) {
    return code == 1006 ? "lost" : "closed " + code;
  }

  private void unauthorized(String why, long now) {
    renewFirst = true;
    if (renewed) {
      waitFor(why, backOff(), now);
    } else {
      next(now);
    }
  }

  void tokenRenewed(long now) {
    if (state == State.RENEWING) {
      renewFirst = false;
      renewed = true;
      open(now);
    }
  }

  /// The sign-in is over; or there is none.
  void tokenRefused() {
    if (state == State.RENEWING || state == State.OPENING) {
      renewFirst = false;
      stop("signed out");
    }
  }

  void tokenUnavailable(long now) {
    if (state == State.RENEWING) {
      waitFor("unreachable", backOff(), now);
    }
  }

  /// Drops a connection that no longer works.
  void drop(String why, long now) {
    out.accept(new Action.HangUp());
    moveOn();
    waitFor(why, backOff(), now);
  }

  private long backOff() {
    return backoff.delay(failures++).toMillis();
  }

  private void moveOn() {
    server = (server + 1) % servers;
  }

  private void waitFor(String why, long delay, long now) {
    state = State.WAITING;
    deadline = now + delay;
    report(ConnectionState.WAITING, why, delay);
  }

  void stop(String why) {
    state = State.STOPPED;
    report(ConnectionState.STOPPED, why, 0);
  }

  OptionalLong deadline() {
    return state == State.STOPPED || state == State.RENEWING
        ? OptionalLong.empty()
        : OptionalLong.of(deadline);
  }

  /// @return whether the connection was given up
  boolean tick(long now) {
    if (now < deadline) {
      return false;
    }
    return switch (state) {
      case STOPPED, RENEWING -> false;
      case WAITING -> {
        next(now);
        yield false;
      }
      case LIVE -> {
        if (pinged) {
          drop("silent", now);
          yield true;
        }
        ping(now + PONG_MS);
        yield false;
      }
      case OPENING, GREETING -> {
        drop("silent", now);
        yield true;
      }
    };
  }

  private void report(ConnectionState what, String why, long delay) {
    out.accept(new Action.StateChanged(what, why, Duration.ofMillis(delay)));
  }
}
