package io.confab.client;

import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import org.jspecify.annotations.Nullable;

/// What waits for this device in sealed rooms, over the connection of a [ConfabClient]; made by
/// [ConfabClient#queue]. What comes is told as [QueueEvent]. It is opened anew on each connection,
/// at [QueueEvent.Due]. Calls may come from any thread.
///
/// A number without its epoch would mean something else after the database was restored, so what
/// is said of another epoch than that of the open queue is passed over.
public final class DeviceQueue {
  private final RulesLoop loop;

  DeviceQueue(RulesLoop loop) {
    this.loop = loop;
  }

  /// Opens the queue, once on each connection; tried again where the server may open it later.
  /// Nothing happens without a connection.
  ///
  /// @param epoch of the position; null: the device has none, and begins after 0
  /// @param after the last number that the device keeps
  public void open(@Nullable Epoch epoch, QueueSeq after) {
    loop.give((rules, now) -> rules.queue().open(epoch, after, now));
  }

  /// The device keeps everything up to a number. The server is told the highest, one at a time, and
  /// after a lost connection again; [QueueEvent.Acknowledged] says when it is done.
  public void acknowledge(Epoch epoch, QueueSeq upTo) {
    loop.give((rules, now) -> rules.queue().acknowledge(epoch, upTo, now));
  }

  /// The device cannot read what stands under a number. To be called before that number is
  /// acknowledged, which then waits until [QueueEvent.Rejected]. The server is told again after a
  /// lost connection.
  ///
  /// @param reason for the server's log, 1 to 64 printable characters of ASCII
  public void reject(Epoch epoch, QueueSeq queueSeq, String reason) {
    loop.give((rules, now) -> rules.queue().reject(epoch, queueSeq, reason, now));
  }

  /// Takes another connection, on which the queue can be opened at another position.
  public void startOver() {
    loop.give((rules, now) -> rules.reconnect("the queue begins elsewhere", now));
  }
}
