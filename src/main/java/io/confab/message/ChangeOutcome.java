package io.confab.message;

import io.confab.feed.Announcer.Restatement;
import io.confab.feed.Event;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames;
import io.confab.protocol.Message;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomChange;
import io.vertx.core.Future;

/// What the storing transaction decided about one edit or deletion.
sealed interface ChangeOutcome {
  /// The answer to the caller.
  Future<Changed> answer();

  /// It is made.
  ///
  /// @param ts of the change, in milliseconds since 1970 by PostgreSQL's clock
  /// @param recounts whether others may have more or less unread by it
  /// @param message as it stands now
  record Made(Rev rev, long ts, boolean recounts, Message message) implements ChangeOutcome {
    @Override
    public Future<Changed> answer() {
      return Future.succeededFuture(new Changed(rev, message));
    }

    /// What is announced.
    Restatement restatement(MessageChange change, Epoch epoch) {
      return new Restatement(event(change, epoch), Event.of(message, epoch));
    }

    /// What the members receive.
    Event event(MessageChange change, Epoch epoch) {
      return Event.of(
          new EventFrames.Stamp(change.roomId(), rev, epoch, change.caller(), ts),
          switch (change) {
            case MessageChange.Edit _ -> new RoomChange.MessageEdited(message, recounts);
            case MessageChange.Deletion(_, var seq, var caller, _) ->
                new RoomChange.MessageDeleted(seq, caller);
          });
    }
  }

  /// An earlier try had made it.
  ///
  /// @param rev of that try
  record Known(Rev rev, Message message) implements ChangeOutcome {
    @Override
    public Future<Changed> answer() {
      return Future.succeededFuture(new Changed(rev, message));
    }
  }

  /// It may not be made: no number was spent and no key written.
  record Refused(Refusal reason) implements ChangeOutcome {
    @Override
    public Future<Changed> answer() {
      return Future.failedFuture(reason);
    }
  }
}
