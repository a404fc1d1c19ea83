package io.confab.http;

import io.confab.account.AccountCommand.Again;
import io.confab.account.AccountCommand.BeginOnce;
import io.confab.account.AccountCommand.Fresh;
import io.confab.account.AccountCommand.KeepAnswer;
import io.confab.account.AccountCommand.LeaveUnanswered;
import io.confab.account.CallKey;
import io.confab.bus.Bus;
import io.confab.config.Sha256;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.TextRules;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes calls once that carry the header `idempotency-key`: repeated by the same caller, they get
/// the answer that the first one got. A call that is refused at the first attempt made nothing, and
/// its key is free again.
final class KeyedCalls {
  private static final String HEADER = "idempotency-key";
  private static final String SEED = "seed";
  private static final String OPEN = "open";
  private static final Duration SHORT = Duration.ofSeconds(30);

  /// A thousand passwords to be hashed take their time.
  private static final Duration LONG = Duration.ofMinutes(15);

  private final Bus bus;

  KeyedCalls(Bus bus) {
    this.bus = bus;
  }

  Endpoint.SignedIn once(Endpoint.SignedIn endpoint) {
    return (caller, call) -> once(caller, call, SHORT, () -> endpoint.answer(caller, call));
  }

  /// For calls of administrators, which may take long.
  Endpoint onceByAdministrator(Endpoint endpoint) {
    return call -> once(SecurityWatch.caller(call), call, LONG, () -> endpoint.answer(call));
  }

  /// The id of the room that a call with a key makes: the same each time that it is made.
  static @Nullable RoomId room(Call call) {
    Long seed = call.context().get(SEED);
    return seed == null ? null : new RoomId(seed);
  }

  private Future<Answer> once(
      @Nullable AccountId caller, Call call, Duration lease, Supplier<Future<Answer>> work) {
    List<String> given = call.headers(HEADER);
    if (given.isEmpty()) {
      return work.get();
    }
    if (given.size() > 1) {
      throw Refusal.invalidField(HEADER, "is repeated");
    }
    String chosen = TextRules.clientMade(HEADER, given.getFirst());
    RoutingContext context = call.context();
    CallKey key =
        CallKey.of(caller, context.request().method() + " " + context.request().path(), chosen);
    return bus.request(new BeginOnce(key, hash(chosen, call.content()), lease))
        .compose(
            begun ->
                switch (begun) {
                  case Again(int status, Secret content) ->
                      Future.succeededFuture(
                          new Answer.Whole(
                              status, Answer.JSON, Buffer.buffer(content.value()), null));
                  case Fresh fresh -> {
                    context.put(SEED, fresh.seed());
                    yield make(context, key, fresh, work);
                  }
                });
  }

  /// Hashes a body with the key of its call, because bodies may hold passwords. The key is stored
  /// nowhere, so a reader of the database cannot try passwords out on this fast hash, unless the
  /// key can be guessed too.
  private static String hash(String chosen, Buffer body) {
    MessageDigest sha256 = Sha256.start();
    sha256.update((chosen + "\n").getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(sha256.digest(body.getBytes()));
  }

  /// Parts of what a call asked for are to be tried again: its answer is not kept.
  static void leaveOpen(Call call) {
    call.context().put(OPEN, true);
  }

  private Future<Answer> make(
      RoutingContext context, CallKey key, Fresh fresh, Supplier<Future<Answer>> work) {
    long seed = fresh.seed();
    return Future.succeededFuture()
        .compose(_ -> work.get())
        .compose(
            answer ->
                (context.get(OPEN) == null
                        ? bus.request(keeping(key, seed, answer))
                        : bus.request(new LeaveUnanswered(key, seed, false)))
                    .transform(_ -> done(answer)),
            failure ->
                bus.request(new LeaveUnanswered(key, seed, fresh.first() && nothingCame(failure)))
                    .transform(_ -> Future.failedFuture(failure)));
  }

  private static Future<Answer> done(Answer answer) {
    return Future.succeededFuture(answer);
  }

  private static KeepAnswer keeping(CallKey key, long seed, Answer answer) {
    if (answer instanceof Answer.Whole(int status, _, Buffer content, _) && content != null) {
      return new KeepAnswer(
          key, seed, status, new Secret(content.toString(StandardCharsets.UTF_8)));
    }
    throw new IllegalStateException("only what is made is kept: " + answer.status());
  }

  /// Whether a call surely made nothing, if no attempt was made before.
  private static boolean nothingCame(Throwable failure) {
    return failure instanceof Refusal refusal
        && refusal.code() != ErrorCode.UNAVAILABLE
        && refusal.code() != ErrorCode.INTERNAL;
  }
}
