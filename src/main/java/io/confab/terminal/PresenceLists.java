package io.confab.terminal;

import io.confab.client.ConfabApi;
import io.confab.client.Member;
import io.confab.client.Presence;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Who is there, printed a line for each; who comes and goes then is told as it happens. Blocks
/// while it asks the server.
final class PresenceLists {
  private static final List<String> STATUSES = List.of("online", "away", "offline");

  private final ConfabApi api;
  private final Screen screen;
  private final Around around;

  PresenceLists(ConfabApi api, Screen screen, Around around) {
    this.api = api;
    this.screen = screen;
    this.around = around;
  }

  /// The members of a room, those who are there first.
  void who(RoomId room) {
    List<Member> all = api.members(room).await();
    List<Member> shown = all.stream().limit(Lists.MOST_MEMBERS_SHOWN).toList();
    Map<AccountId, Presence> presences = presences(shown);
    shown.stream()
        .map(member -> new Seen(member, Objects.requireNonNull(presences.get(member.accountId()))))
        .sorted(
            Comparator.comparing((Seen seen) -> STATUSES.indexOf(seen.presence().status()))
                .thenComparing(seen -> seen.member().handle()))
        .forEach(seen -> screen.line(seen.line()));
    if (all.size() > shown.size()) {
      screen.line("* and %d more".formatted(all.size() - shown.size()));
    }
    around
        .online(room)
        .ifPresent(count -> screen.line("* there: %d of %d".formatted(count, all.size())));
    around.follow(room);
  }

  private Map<AccountId, Presence> presences(List<Member> members) {
    return api.presences().of(members.stream().map(Member::accountId).toList()).await().stream()
        .collect(Collectors.toMap(Presence::accountId, Function.identity()));
  }

  private record Seen(Member member, Presence presence) {
    String line() {
      String text = presence.text();
      Long last = presence.lastSeen();
      return "  %-7s  %s (%s)%s%s"
          .formatted(
              Plain.line(presence.status()),
              Plain.line(member.handle()),
              Plain.line(member.displayName()),
              text == null ? "" : ", " + Plain.line(text),
              last == null ? "" : ", last seen " + Lists.when(last));
    }
  }
}
