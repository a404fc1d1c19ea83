package io.confab.room;

import io.confab.feed.AccountSignal;
import io.confab.feed.Announcer;
import io.confab.postgres.DatabaseEpoch;
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

/// Tells what was committed in rooms: the events to the rooms, in the order of their revs, then
/// a ring for each account that came or went.
public final class RoomAnnouncements {
  private final Announcer announcer;
  private final DatabaseEpoch epoch;

  /// @param epoch is told what the changes were made under
  public RoomAnnouncements(Announcer announcer, DatabaseEpoch epoch) {
    this.announcer = announcer;
    this.epoch = epoch;
  }

  /// Rings for each account that came or went.
  static List<AccountSignal> signals(List<NumberedChange> changes) {
    return changes.stream().flatMap(RoomAnnouncements::ofMember).toList();
  }

  /// @param changes of one room, by rev; may be empty
  /// @param rings for those who came or went
  void tell(List<NumberedChange> changes, List<AccountSignal> signals) {
    changes.forEach(change -> epoch.saw(change.epoch()));
    if (!changes.isEmpty()) {
      announcer.announce(changes.stream().map(NumberedChange::event).toList());
    }
    if (!signals.isEmpty()) {
      announcer.signal(signals);
    }
  }

  /// Something was committed in the room, or nothing.
  void inDoubt(RoomId room, List<AccountSignal> signals) {
    announcer.inDoubt(room, signals);
  }

  private static Stream<AccountSignal> ofMember(NumberedChange numbered) {
    return ofMember(numbered, numbered.change());
  }

  private static Stream<AccountSignal> ofMember(NumberedChange numbered, RoomChange change) {
    return switch (change) {
      case MemberJoined(var account) ->
          Stream.of(new AccountSignal.Added(account, numbered.room()));
      case MemberLeft(var account, var reason) ->
          Stream.of(new AccountSignal.Removed(account, numbered.room(), reason));
      case Members members when members.person() != null -> ofMember(numbered, members.person());
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
