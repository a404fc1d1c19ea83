package io.confab.terminal;

import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.client.Invitation;
import io.confab.client.Invite;
import io.confab.client.Member;
import io.confab.client.OwnDevice;
import io.confab.client.ReadMarker;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// What a person asks to see besides messages, printed a line for each thing. Blocks while it asks
/// the server.
final class Lists {
  private static final List<String> ROLES = List.of("owner", "admin", "member");
  static final int MOST_MEMBERS_SHOWN = 200;
  private static final DateTimeFormatter WHEN =
      DateTimeFormatter.ofPattern("d MMM yyyy HH:mm", Locale.ENGLISH);

  private final ConfabApi api;
  private final Names names;
  private final Screen screen;

  Lists(ConfabApi api, Names names, Screen screen) {
    this.api = api;
    this.names = names;
    this.screen = screen;
  }

  private <T> void list(List<T> all, Function<T, String> line) {
    if (all.isEmpty()) {
      screen.line("* none");
    }
    all.forEach(item -> screen.line("  " + line.apply(item)));
  }

  void rooms() {
    List<ChatRoom> all = api.rooms().await();
    names.titles(all); // learns them with one call
    list(all, room -> room.roomId() + "  " + names.title(room) + Unread.of(room).suffix());
  }

  /// Which other members have read a message, the newest where none is named.
  void readers(RoomId room, Optional<Seq> seq) {
    Seq asked = seq.orElseGet(() -> api.room(room).await().seq());
    List<AccountId> all =
        api.readers(room, asked).await().stream().map(ReadMarker::accountId).toList();
    names.learn(all);
    list(
        all.stream().limit(MOST_MEMBERS_SHOWN).toList(),
        who -> "#%s was read by %s".formatted(asked, Plain.line(names.of(who))));
    if (all.size() > MOST_MEMBERS_SHOWN) {
      screen.line("* and %d more".formatted(all.size() - MOST_MEMBERS_SHOWN));
    }
  }

  void members(RoomId room) {
    List<Member> all = api.members(room).await();
    list(
        all.stream()
            .sorted(
                Comparator.comparing((Member member) -> ROLES.indexOf(member.role()))
                    .thenComparing(Member::handle))
            .limit(MOST_MEMBERS_SHOWN)
            .toList(),
        member ->
            "%-6s  %s (%s)"
                .formatted(
                    Plain.line(member.role()),
                    Plain.line(member.handle()),
                    Plain.line(member.displayName())));
    if (all.size() > MOST_MEMBERS_SHOWN) {
      screen.line("* and %d more".formatted(all.size() - MOST_MEMBERS_SHOWN));
    }
  }

  void settings(ChatRoom room) {
    screen.line("  name         " + names.title(room));
    screen.line("  description  " + Plain.line(Optional.ofNullable(room.description()).orElse("")));
    screen.line("  history      " + Plain.line(Optional.ofNullable(room.history()).orElse("")));
    screen.line("  slow_mode_s  " + Optional.ofNullable(room.slowModeS()).orElse(0L));
    screen.line("  max_members  " + Optional.ofNullable(room.maxMembers()).orElse(0L));
    screen.line("  capacity     " + Optional.ofNullable(room.capacity()).orElse(0L));
    Optional.ofNullable(room.readOutside())
        .ifPresent(reads -> screen.line("  read_outside " + reads));
    RoomSeal.of(room)
        .ifPresent(
            seal -> {
              screen.line("  sealed       " + Plain.line(seal.suite()) + " from #" + seal.from());
              screen.line("  expires_in_s " + Optional.ofNullable(room.expiresInS()).orElse(0));
            });
  }

  /// The invitations to a room.
  void invites(RoomId room) {
    list(api.keeping(room).invites().await(), this::line);
  }

  private String line(Invite invite) {
    Long most = invite.maxUses();
    Long end = invite.expiresAt();
    return "%s  used %d%s%s"
        .formatted(
            Plain.line(invite.inviteId()),
            invite.uses(),
            most == null ? "" : " of " + most,
            end == null ? "" : ", until " + when(end));
  }

  /// Who asks the account to join which room.
  void invitations() {
    List<Invitation> all = api.invitations().await();
    names.learn(all.stream().map(Invitation::invitedBy).toList());
    list(all, this::line);
  }

  private String line(Invitation asked) {
    return "%s  %s, by %s, %s"
        .formatted(
            asked.roomId(),
            Plain.line(Optional.ofNullable(asked.name()).orElse("a direct room")),
            Plain.line(names.of(asked.invitedBy())),
            when(asked.ts()));
  }

  static String when(long ms) {
    return WHEN.format(Instant.ofEpochMilli(ms).atZone(ZoneId.systemDefault()));
  }

  void devices(List<OwnDevice> devices) {
    list(
        devices,
        device ->
            "%s  %s (%s), since %s%s%s"
                .formatted(
                    device.deviceId().value(),
                    Plain.line(device.name()),
                    Plain.line(device.platform()),
                    when(device.createdAt()),
                    device.current() ? ", this one" : "",
                    keys(device)));
  }

  /// Whether sealed rooms are for it.
  private static String keys(OwnDevice device) {
    if (device.registrationId() == null) {
      return "";
    }
    return device.signedOutAt() == null ? ", has keys" : ", signed out; its keys stay";
  }

  void blocks() {
    List<AccountId> blocked = api.blocks().await();
    names.learn(blocked);
    list(blocked, who -> Plain.line(names.of(who)));
  }
}
