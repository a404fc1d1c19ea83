package io.confab.room;

import io.confab.feed.AccountSignal;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.feed.Event;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomChange.Archived;
import io.confab.protocol.RoomChange.Changed;
import io.confab.protocol.RoomChange.MemberJoined;
import io.confab.protocol.RoomChange.MemberLeft;
import io.confab.protocol.RoomChange.MemberMuted;
import io.confab.protocol.RoomChange.MemberRole;
import io.confab.protocol.RoomChange.Members;
import io.confab.protocol.RoomChange.MessageDeleted;
import io.confab.protocol.RoomChange.MessageEdited;
import io.confab.protocol.RoomId;
import java.util.List;
import java.util.stream.Stream;

/// A change as it stands in the log of its room.
///
/// @param actor the account that made the change
/// @param ts milliseconds since 1970, by the database
record NumberedChange(
    RoomId room, Epoch epoch, Rev rev, AccountId actor, long ts, RoomChange change) {

  /// What a transaction answers and announces that made these changes of one room.
  static <T> Outcome<T> outcome(T answer, List<NumberedChange> changes) {
    return outcome(answer, changes, changes.stream().flatMap(NumberedChange::signals).toList());
  }

  /// @param signals for those who came or went, where the changes do not name them
  static <T> Outcome<T> outcome(
      T answer, List<NumberedChange> changes, List<AccountSignal> signals) {
    return new Outcome<>(answer, changes.stream().map(NumberedChange::event).toList(), signals);
  }

  private Event event() {
    return Event.of(new EventFrames.Stamp(room, rev, epoch, actor, ts), change);
  }

  private Stream<AccountSignal> signals() {
    return signals(change);
  }

  private Stream<AccountSignal> signals(RoomChange change) {
    return switch (change) {
      case MemberJoined(var account) -> Stream.of(new AccountSignal.Added(account, room));
      case MemberLeft(var account, var reason) ->
          Stream.of(new AccountSignal.Removed(account, room, reason));
      case Members(_, _, _, var person) when person != null -> signals(person);
      case Members _,
          MemberRole _,
          MemberMuted _,
          Changed _,
          Archived _,
          MessageEdited _,
          MessageDeleted _ ->
          Stream.empty();
    };
  }
}
