package io.confab.client;

import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;

/// What happens at the queue of this device, and what is told of keys. All of it comes in the order
/// in which the server told it.
public sealed interface QueueEvent {
  /// The connection is lost. What is told of devices is missed until [Due].
  record Lost() implements QueueEvent {}

  /// A connection is live: who follows the queue opens it now. What was told of devices may have
  /// been missed.
  record Due() implements QueueEvent {}

  /// It is open, and what waits comes next.
  ///
  /// @param epoch of the numbers
  /// @param first behind what was acknowledged
  /// @param last up to where there was something; less than `first`: nothing waits
  /// @param reset the position was none of this queue, and what comes begins with `first`
  /// @param oneTimeKeys how many of the device wait to be handed out
  /// @param fallbackUsed whether somebody took the fallback key
  record Opened(
      Epoch epoch,
      QueueSeq first,
      QueueSeq last,
      boolean reset,
      long oneTimeKeys,
      boolean fallbackUsed)
      implements QueueEvent {}

  /// The next one.
  record Came(QueuedEnvelope envelope) implements QueueEvent {}

  /// All has come that waited when it was opened.
  record Drained(QueueSeq queueSeq) implements QueueEvent {}

  /// The server refuses to open it. The program may ask again, also on this connection.
  record NotOpened(ApiException refusal) implements QueueEvent {}

  /// The server will not send again what stands up to this number.
  record Acknowledged(Epoch epoch, QueueSeq upTo) implements QueueEvent {}

  /// The server knows that the device cannot read this one, or has nothing under it any more.
  record Rejected(Epoch epoch, QueueSeq queueSeq) implements QueueEvent {}

  /// Few of the device's one-time keys are left.
  record KeysLow(long oneTimeKeys) implements QueueEvent {}

  /// Devices or keys of an account are others than in lower versions.
  record DevicesChanged(AccountId accountId, long version) implements QueueEvent {}
}
