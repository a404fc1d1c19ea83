package io.confab.ledger;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Who may be told something of a room, and until when something may be said in it.
final class RoomRules {
  private RoomRules() {}

  /// Who heard something after his last membership.
  static void members(List<Entry> history, List<Membership> members, Findings findings) {
    Map<String, Long> ends = new HashMap<>();
    Set<String> rooms = new HashSet<>();
    for (Membership member : members) {
      rooms.add(member.room());
      ends.merge(
          member.account() + " in " + member.room(),
          member.to() == 0 ? Long.MAX_VALUE : member.to(),
          Math::max);
    }
    Map<String, String> accounts = new HashMap<>();
    for (Entry entry : history) {
      if (entry instanceof Entry.ViewBegan began) {
        accounts.put(began.view(), began.account());
      } else if (entry instanceof Entry.Received got && rooms.contains(got.room())) {
        String account = accounts.getOrDefault(got.view(), "");
        if (got.rev() >= ends.getOrDefault(account + " in " + got.room(), 0L)) {
          findings.add(Invariant.MEMBERS_ONLY, account + " got " + got);
        }
      }
    }
  }

  /// What was said after the end of a room.
  static void archived(List<Entry> history, Map<String, FinalRead> rooms, Findings findings) {
    for (Entry entry : history) {
      FinalRead room = entry instanceof Entry.Archived a ? rooms.get(a.room()) : null;
      if (entry instanceof Entry.Archived archived && room != null) {
        room.messages().stream()
            .filter(message -> message.rev() >= archived.rev())
            .forEach(m -> findings.add(Invariant.ARCHIVED_SAYS_NO_MORE, archived + ", but " + m));
      }
    }
  }
}
