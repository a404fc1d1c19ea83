package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.client.QueueAsk.Acknowledge;
import io.confab.client.QueueAsk.Open;
import io.confab.client.QueueAsk.Reject;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.QueueSeq;
import io.confab.time.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Opens the queue of the device where the program says so, once on each connection, and tells the
/// server what the device keeps and what it cannot read: one request at a time, and of what is kept
/// the highest alone. What may be tried again is, after a pause; what had no answer when a
/// connection was lost is told on the next one.
final class QueueRules {
  private static final long ANSWER_MS = 30_000;

  private final Backoff backoff;
  private final Consumer<Action> out;
  private final QueueMarks marks = new QueueMarks();
  private boolean online;
  private boolean isOpen;

  /// Where the program wants it to be open on this connection, and it is not yet.
  private @Nullable Open opening;

  /// The request that has no answer yet, and its id.
  private @Nullable QueueAsk asked;

  private String id = "";

  /// When the answer is overdue, or what was refused is asked again; empty: neither.
  private OptionalLong due = OptionalLong.empty();

  private int failures;
  private int requests;

  QueueRules(Backoff backoff, Consumer<Action> out) {
    this.backoff = backoff;
    this.out = out;
  }

  /// Rooms are followed.
  void live() {
    online = true;
    tell(new QueueEvent.Due());
  }

  void lost() {
    if (online) {
      online = false;
      tell(new QueueEvent.Lost());
    }
    isOpen = false;
    opening = null;
    settled();
  }

  /// Does nothing without a connection, and where it was asked for on this one.
  void open(@Nullable Epoch epoch, QueueSeq after, long now) {
    if (online && !isOpen && opening == null) {
      opening = new Open(epoch, after);
      pump(now);
    }
  }

  void acknowledge(Epoch epoch, QueueSeq upTo, long now) {
    marks.keep(epoch, upTo);
    pump(now);
  }

  void reject(Epoch epoch, QueueSeq seq, String reason, long now) {
    marks.reject(epoch, seq, reason);
    pump(now);
  }

  /// Something of the queue or of keys was told.
  void frame(JsonNode frame, long now) {
    QueueFrames.read(frame).ifPresent(event -> told(event, now));
  }

  private void told(QueueEvent event, long now) {
    if (event instanceof QueueEvent.Opened opened && opening != null) {
      marks.opened(opened, opening.after());
      isOpen = true;
      opening = null;
      settled();
    } else if (event instanceof QueueEvent.Came(QueuedEnvelope envelope)) {
      marks.came(envelope.queueSeq());
    }
    tell(event);
    pump(now);
  }

  /// Whether the request that was done is one of these.
  boolean answered(String re, long now) {
    Optional<QueueAsk> done = asked(re);
    done.ifPresent(
        ask -> {
          settled();
          done(ask);
          pump(now);
        });
    return done.isPresent();
  }

  /// Whether the request that was refused is one of these.
  boolean refused(String re, JsonNode error, long now) {
    Optional<QueueAsk> refused = asked(re);
    refused.ifPresent(ask -> refused(ask, ApiErrors.read(error, 0), now));
    return refused.isPresent();
  }

  private Optional<QueueAsk> asked(String re) {
    return re.equals(id) ? Optional.ofNullable(asked) : Optional.empty();
  }

  private void settled() {
    asked = null;
    due = OptionalLong.empty();
    failures = 0;
  }

  private void done(QueueAsk ask) {
    switch (ask) {
      case Open _ -> {} // its answer is `queue.opened`
      case Acknowledge(Epoch epoch, QueueSeq upTo) -> {
        marks.acknowledged(upTo);
        tell(new QueueEvent.Acknowledged(epoch, upTo));
      }
      case Reject(Epoch epoch, QueueSeq seq, _) -> {
        marks.rejected(seq);
        tell(new QueueEvent.Rejected(epoch, seq));
      }
    }
  }

  private void refused(QueueAsk ask, ApiException refusal, long now) {
    if (refusal.retryable()) {
      asked = null;
      long pause = backoff.delay(failures++).toMillis();
      long least = refusal.retryAfter().map(Duration::toMillis).orElse(0L);
      due = OptionalLong.of(now + Math.max(1, Math.max(pause, least)));
    } else {
      settled();
      giveUp(ask, refusal);
      pump(now);
    }
  }

  /// What is refused for good is not told again on this connection.
  private void giveUp(QueueAsk ask, ApiException refusal) {
    switch (ask) {
      case Open _ -> {
        opening = null;
        tell(new QueueEvent.NotOpened(refusal));
      }
      case Acknowledge(_, QueueSeq upTo) -> marks.acknowledged(upTo);
      case Reject(_, QueueSeq seq, _) when !refusal.is(ErrorCode.NOT_FOUND) -> marks.rejected(seq);
      case Reject nothingLeft -> done(nothingLeft);
    }
  }

  /// Asks what is next, unless something is under way or waits for its time.
  private void pump(long now) {
    if (due.isPresent()) {
      return;
    }
    Optional<QueueAsk> next = isOpen ? marks.next() : Optional.ofNullable(opening);
    next.ifPresent(ask -> ask(ask, now));
  }

  private void ask(QueueAsk ask, long now) {
    asked = ask;
    id = "queue-" + ++requests;
    due = OptionalLong.of(now + ANSWER_MS);
    out.accept(new Action.Transmit(ask.frame().put("id", id)));
  }

  private void tell(QueueEvent event) {
    out.accept(new Action.Queue(event));
  }

  OptionalLong deadline() {
    return due;
  }

  /// Asks again what may be asked again by now.
  ///
  /// @return whether an answer is overdue, so that the connection must be dropped
  boolean tick(long now) {
    if (due.isEmpty() || now < due.getAsLong()) {
      return false;
    }
    if (asked != null) {
      return true;
    }
    due = OptionalLong.empty();
    pump(now);
    return false;
  }
}
