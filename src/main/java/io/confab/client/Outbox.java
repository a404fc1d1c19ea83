package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.ClientId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.time.Backoff;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/// The sends that no answer has settled yet, in the order in which they were made. Each is sent
/// again, with the same `client_id`, until it is stored or refused for good; meanwhile later
/// sends to the same room wait.
final class Outbox {
  private static final long LONGEST_WAIT_MS = 60_000;
  private static final long ANSWER_MS = 30_000;
  private static final int TRIES_AT_A_BUG = 5;

  private final SendQueue queue = new SendQueue();
  private final int limit;
  private final Backoff backoff;
  private final Consumer<Action> out;
  private boolean online;
  private int window;
  private SendLimits limits = SendLimits.usual();

  Outbox(int limit, Backoff backoff, Consumer<Action> out) {
    this.limit = limit;
    this.backoff = backoff;
    this.out = out;
  }

  void add(Outgoing message, long now) {
    Optional<ApiException> objection = limits.objection(message);
    if (objection.isPresent()) {
      out.accept(new Action.Failed(message.clientId(), objection.get()));
    } else if (queue.size() >= limit) {
      fail(message, ApiException.QUEUE_FULL, "too many sends wait");
    } else {
      queue.add(message, now);
      pump(now);
    }
  }

  /// A connection takes sends from now on.
  void online(JsonNode newLimits, long now) {
    online = true;
    limits = SendLimits.read(newLimits);
    window = Math.max(1, newLimits.path("requests").asInt(2) / 2);
    List.copyOf(queue.all()).forEach(this::refuseIfTooLarge);
    pump(now);
  }

  /// Refuses a send that is too large for this server: another one's limits had let it in.
  private void refuseIfTooLarge(SendQueue.Entry entry) {
    ClientId clientId = entry.message.clientId();
    limits
        .objection(entry.message)
        .ifPresent(
            objection -> {
              queue.settle(clientId);
              out.accept(new Action.Failed(clientId, objection));
            });
  }

  /// The connection is lost: sends under way may be stored or not, and are sent again.
  void lost() {
    online = false;
    queue.restart();
  }

  private void pump(long now) {
    while (online && queue.underWay() < window) {
      SendQueue.Entry entry = queue.take(now, now + ANSWER_MS);
      if (entry == null) {
        return;
      }
      out.accept(new Action.Transmit(entry.message.frame()));
    }
  }

  /// A server acknowledges a send.
  void acknowledged(JsonNode ack, long now) {
    ClientId clientId = new ClientId(ack.path("client_id").asText());
    stored(
        new SentMessage(
            RoomId.parse(ack.path("room_id").asText()),
            clientId,
            new Seq(ack.path("seq").asLong()),
            new Rev(ack.path("rev").asLong()),
            ack.path("ts").asLong(),
            ack.path("duplicate").asBoolean()),
        now);
  }

  /// A message of this account came in its room, so it is stored.
  void seen(ChatMessage message, long now) {
    stored(
        new SentMessage(
            message.roomId(),
            message.clientId(),
            message.seq(),
            message.rev(),
            message.ts(),
            false),
        now);
  }

  private void stored(SentMessage message, long now) {
    if (queue.settle(message.clientId())) {
      out.accept(new Action.Stored(message));
      pump(now);
    }
  }

  /// Whether the error was about a send that waits for its answer.
  boolean refused(ClientId clientId, ApiException refusal, long now) {
    SendQueue.Entry entry = queue.underWay(clientId);
    if (entry == null) {
      return false;
    }
    long asked = refusal.retryAfter().map(after -> after.toMillis()).orElse(0L);
    boolean isBug = refusal.is(ErrorCode.INTERNAL) && entry.refusals + 1 >= TRIES_AT_A_BUG;
    if (!worthATry(refusal) || isBug || asked > LONGEST_WAIT_MS) {
      queue.settle(clientId);
      out.accept(new Action.Failed(clientId, refusal));
    } else {
      long until = now + Math.max(asked, backoff.delay(entry.refusals++).toMillis());
      queue.again(entry, until);
      out.accept(new Action.Delayed(clientId, refusal, until));
    }
    pump(now);
    return true;
  }

  /// Whether the send may be stored later. A server that wants new tokens closes the socket, and
  /// they are obtained then.
  private static boolean worthATry(ApiException refusal) {
    return refusal.retryable()
        || refusal.is(ErrorCode.UNAUTHORIZED)
        || refusal.is(ErrorCode.TOKEN_EXPIRED);
  }

  /// Gives up all sends; their outcome is unknown.
  ///
  /// @param why the client has stopped
  void close(String why) {
    List<SendQueue.Entry> left = List.copyOf(queue.all());
    queue.clear();
    left.forEach(
        entry -> fail(entry.message, ApiException.CLOSED, "the client has stopped: " + why));
  }

  private void fail(Outgoing message, String code, String why) {
    out.accept(new Action.Failed(message.clientId(), ApiException.local(code, why)));
  }

  /// When the next answer is overdue, or the next send may go again.
  OptionalLong deadline() {
    if (!online) {
      return OptionalLong.empty();
    }
    OptionalLong answer = queue.answerDue();
    OptionalLong send = queue.underWay() < window ? queue.sendDue() : OptionalLong.empty();
    return LongStream.concat(answer.stream(), send.stream()).min();
  }

  /// Sends what is due.
  ///
  /// @return whether an answer is overdue, so that the connection must be dropped
  boolean tick(long now) {
    if (online && queue.answerDue().orElse(Long.MAX_VALUE) <= now) {
      return true;
    }
    pump(now);
    return false;
  }
}
