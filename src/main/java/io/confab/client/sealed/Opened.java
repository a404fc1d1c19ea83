package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.QueueSeq;

/// What became of the next of the queue. All but [Ahead] may be acknowledged.
public sealed interface Opened {
  QueueSeq queueSeq();

  /// A line to be shown; it is kept.
  record Shown(QueueSeq queueSeq, SealedLine line) implements Opened {}

  /// A line that is kept and not shown, until the person or the server says who wrote it.
  record Held(QueueSeq queueSeq, SealedLine line, Doubt doubt) implements Opened {}

  /// Something between devices, kept in the inbox.
  record Noted(QueueSeq queueSeq, Note note) implements Opened {}

  /// Nothing to show: keys, or content that is over.
  record Taken(QueueSeq queueSeq) implements Opened {}

  /// Nothing of it is believed. What could not be decrypted is to be rejected at the server.
  record Dropped(QueueSeq queueSeq, AccountId senderId, DeviceId senderDeviceId, Doubt doubt)
      implements Opened {
    public boolean isToBeRejected() {
      return doubt == Doubt.UNDECRYPTABLE;
    }
  }

  /// It was opened before.
  record Past(QueueSeq queueSeq) implements Opened {}

  /// Others are missing before it, or it is of another epoch: the queue is to be opened anew.
  ///
  /// @param position after which the queue goes on
  record Ahead(QueueSeq queueSeq, Position position) implements Opened {}
}
