package io.confab.client.sealed;

import io.confab.protocol.QueueSeq;
import java.util.List;

/// The numbers of the queue that could not be decrypted and that the server does not know of. They
/// are kept with the position behind them: who is killed in between tells them later.
final class Rejects {
  private static final String KEY = "reject/";

  void add(Changes changes, QueueSeq seq) {
    changes.put(key(seq), new byte[0]);
  }

  List<QueueSeq> all(Changes changes) {
    return changes.keys(KEY).stream()
        .map(key -> new QueueSeq(Long.parseLong(key.substring(KEY.length()))))
        .toList();
  }

  void rejected(Changes changes, QueueSeq seq) {
    changes.remove(key(seq));
  }

  /// They are numbers of a queue that is no more.
  void forget(Changes changes) {
    changes.keys(KEY).forEach(changes::remove);
  }

  private static String key(QueueSeq seq) {
    return KEY + OrderedKey.of(seq.value());
  }
}
