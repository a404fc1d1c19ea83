package io.confab.client.sealed;

import io.confab.protocol.QueueSeq;
import java.util.List;

/// What devices said to this one and is not done yet, in the order in which it came.
final class Inbox {
  private static final String KEY = "inbox/";

  void put(Changes changes, Note note) {
    changes.put(key(note.queueSeq()), SealedJson.keep(note));
  }

  List<Note> all(Changes changes) {
    return changes.keys(KEY).stream()
        .map(key -> SealedJson.kept(changes.get(key).orElseThrow(), Note.class))
        .toList();
  }

  void done(Changes changes, Note note) {
    changes.remove(key(note.queueSeq()));
  }

  private static String key(QueueSeq seq) {
    return KEY + OrderedKey.of(seq.value());
  }
}
