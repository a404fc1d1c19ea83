package io.confab.chaos;

import io.confab.chaos.SeatEvent.Kind;
import io.confab.time.Backoff;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// An account without a connection in one room: it enters over HTTP, polls, leaves, and enters
/// again. Between two answers nobody can tell how it stands, so the log has it as one that is away
/// meanwhile. Belongs to its event loop.
final class SeatPoller {
  private static final long LEAST_MS = 5_000;
  private static final long MOST_MS = 9_000;
  private static final long TIMEOUT_MS = 12_000;
  private static final Duration AGAIN = Duration.ofMillis(500);
  private static final Duration LONGEST_AGAIN = Duration.ofSeconds(4);

  private final SeatWorld world;
  private final HttpClient client;
  private final int account;
  private final String token;
  private final int room;
  private final SplittableRandom random;
  private final Backoff backoff;
  private final Context loop;
  private @Nullable String place;
  private boolean isInside;
  private boolean waits;
  private boolean isAway;
  private long leavesAt;
  private int failures;

  SeatPoller(SeatWorld world, HttpClient client, int account, String token, int room, long seed) {
    this.world = world;
    this.client = client;
    this.account = account;
    this.token = token;
    this.room = room;
    this.random = new SplittableRandom(seed);
    this.backoff = new Backoff(AGAIN, LONGEST_AGAIN, random);
    this.loop = world.vertx().getOrCreateContext();
  }

  void begin() {
    loop.runOnContext(_ -> enter());
  }

  private void after(long ms, Runnable action) {
    world
        .vertx()
        .setTimer(
            Math.max(1, ms),
            _ -> {
              if (world.isGoing()) {
                action.run();
              }
            });
  }

  private void log(Kind kind, long ticket) {
    world.log().add(System.nanoTime(), kind, account, room, ticket);
  }

  private void enter() {
    log(Kind.ENTERING, 0);
    poll();
  }

  private void poll() {
    JsonObject body = place == null ? new JsonObject() : new JsonObject().put("place", place);
    ask(HttpMethod.POST, "", body.toBuffer())
        .onComplete(
            answer -> {
              if (answer.succeeded()) {
                told(answer.result());
              } else {
                again(answer.cause(), this::poll);
              }
            });
  }

  private void told(JsonObject answer) {
    failures = 0;
    if (isAway) {
      isAway = false;
      log(Kind.BACK, 0);
    }
    switch (answer.getString("type")) {
      case "seat.inside" -> inside();
      case "seat.waiting" -> waits(answer.getString("place"));
      default -> world.refused("a poller is told " + answer.getString("type"));
    }
    isAway = true;
    log(Kind.CUT, 0);
    if (isInside && System.nanoTime() - leavesAt >= 0) {
      exit();
    } else {
      after(random.nextLong(LEAST_MS, MOST_MS), this::poll);
    }
  }

  private void inside() {
    place = null;
    if (!isInside) {
      leavesAt = System.nanoTime() + SeatHabits.some(world.habits().inside(), random) * 1_000_000;
    }
    stand(true, false);
    log(Kind.INSIDE, 0);
  }

  private void waits(String signed) {
    place = signed;
    stand(false, true);
    log(Kind.WAITS, ByteBuffer.wrap(Base64.getUrlDecoder().decode(signed)).getLong());
  }

  private void stand(boolean nowInside, boolean nowWaits) {
    world.inside().addAndGet((nowInside ? 1 : 0) - (isInside ? 1 : 0));
    world.waiting().addAndGet((nowWaits ? 1 : 0) - (waits ? 1 : 0));
    isInside = nowInside;
    waits = nowWaits;
  }

  private void exit() {
    log(Kind.EXITING, 0);
    leave();
  }

  private void leave() {
    ask(HttpMethod.DELETE, "/me", null)
        .onComplete(
            answer -> {
              if (answer.failed()) {
                again(answer.cause(), this::leave);
                return;
              }
              failures = 0;
              stand(false, false);
              world.exits().increment();
              log(Kind.EXITED, 0);
              after(SeatHabits.some(world.habits().outside(), random), this::enter);
            });
  }

  private void again(Throwable failure, Runnable action) {
    long least = failure instanceof Refused refused ? refused.retryAfter : 0;
    world.refused("HTTP " + failure.getMessage());
    after(least + backoff.delay(failures++).toMillis(), action);
  }

  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final long retryAfter;

    Refused(String what, long retryAfter) {
      super(what, null, false, false);
      this.retryAfter = retryAfter;
    }
  }

  private Future<JsonObject> ask(HttpMethod method, String below, @Nullable Buffer body) {
    RequestOptions to =
        new RequestOptions()
            .setMethod(method)
            .setHost("127.0.0.1")
            .setPort(world.port(random))
            .setURI("/v1/rooms/" + world.room(room) + "/seats" + below)
            .setTimeout(TIMEOUT_MS)
            .putHeader("authorization", "Bearer " + token);
    return client
        .request(to.putHeader("content-type", "application/json"))
        .compose(request -> body == null ? request.send() : request.send(body))
        .compose(
            response ->
                response
                    .body()
                    .map(
                        text -> {
                          JsonObject answer =
                              text.length() == 0 ? new JsonObject() : text.toJsonObject();
                          JsonObject error = answer.getJsonObject("error");
                          if (error != null) {
                            throw new Refused(
                                error.getString("code") + ": " + error.getString("message"),
                                error.getLong("retry_after_ms", 0L));
                          }
                          return answer;
                        }));
  }
}
