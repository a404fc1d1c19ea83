package io.confab.room;

import io.confab.feed.AccountNews;
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
public final class RoomNews {
  private final Announcer announcer;
  private final DatabaseEpoch epoch;

  /// @param epoch is told what the changes were made under
  public RoomNews(Announcer announcer, DatabaseEpoch epoch) {
    this.announcer = announcer;
    this.epoch = epoch;
  }

  /// Rings for each account that came or went.
  static List<AccountNews> rings(List<NumberedChange> changes) {
    return changes.stream().flatMap(RoomNews::ofMember).toList();
  }

  /// @param changes of one room, by rev; may be empty
  /// @param rings for those who came or went
  void tell(List<NumberedChange> changes, List<AccountNews> rings) {
    changes.forEach(change -> epoch.saw(change.epoch()));
    if (!changes.isEmpty()) {
      announcer.announce(changes.stream().map(NumberedChange::event).toList());
    }
    if (!rings.isEmpty()) {
      announcer.ring(rings);
    }
  }

  /// Something was committed in the room, or nothing.
  void doubt(RoomId room, List<AccountNews> rings) {
    announcer.doubt(room, rings);
  }

  private static Stream<AccountNews> ofMember(NumberedChange numbered) {
    return ofMember(numbered, numbered.change());
  }

  private static Stream<AccountNews> ofMember(NumberedChange numbered, RoomChange change) {
    return switch (change) {
      case MemberJoined(var account) -> Stream.of(new AccountNews.Added(account, numbered.room()));
      case MemberLeft(var account, var reason) ->
          Stream.of(new AccountNews.Removed(account, numbered.room(), reason));
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
