package io.confab.client;

import io.confab.client.QueueAsk.Acknowledge;
import io.confab.client.QueueAsk.Reject;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What the device keeps of its queue and what it cannot read, as far as the server has to be told.
/// Nothing is told of what did not come on this connection, and nothing behind an envelope that the
/// server does not know yet to be unreadable: it would count as delivered.
final class QueueMarks {
  private static final QueueSeq NONE = new QueueSeq(0);

  private final TreeMap<QueueSeq, String> unreadable = new TreeMap<>();
  private @Nullable Epoch epoch;
  private QueueSeq kept = NONE;

  /// Up to here the server takes what is told.
  private QueueSeq sent = NONE;

  private QueueSeq acknowledged = NONE;

  /// The queue is open; what was told before and has no answer is told again.
  ///
  /// @param after the last number that does not come
  void opened(QueueEvent.Opened opened, QueueSeq after) {
    if (opened.reset() || !opened.epoch().equals(epoch)) {
      unreadable.clear();
      kept = NONE;
    }
    epoch = opened.epoch();
    acknowledged = new QueueSeq(opened.first().value() - 1);
    sent = opened.reset() ? acknowledged : after;
  }

  void came(QueueSeq seq) {
    sent = later(sent, seq);
  }

  void keep(Epoch of, QueueSeq upTo) {
    if (of.equals(epoch)) {
      kept = later(kept, upTo);
    }
  }

  void reject(Epoch of, QueueSeq seq, String reason) {
    if (of.equals(epoch)) {
      unreadable.putIfAbsent(seq, reason);
    }
  }

  /// The server has taken it.
  void acknowledged(QueueSeq upTo) {
    acknowledged = later(acknowledged, upTo);
  }

  /// The server has taken it.
  void rejected(QueueSeq seq) {
    unreadable.remove(seq);
  }

  /// What the server is to be told next.
  Optional<QueueAsk> next() {
    Epoch of = epoch;
    if (of == null) {
      return Optional.empty();
    }
    Map.Entry<QueueSeq, String> first = unreadable.firstEntry();
    if (first != null && !first.getKey().isAfter(sent)) {
      return Optional.of(new Reject(of, first.getKey(), first.getValue()));
    }
    QueueSeq upTo = earlier(kept, sent);
    return upTo.isAfter(acknowledged) ? Optional.of(new Acknowledge(of, upTo)) : Optional.empty();
  }

  private static QueueSeq later(QueueSeq one, QueueSeq other) {
    return other.isAfter(one) ? other : one;
  }

  private static QueueSeq earlier(QueueSeq one, QueueSeq other) {
    return other.isAfter(one) ? one : other;
  }
}
