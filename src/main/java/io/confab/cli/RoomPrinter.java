package io.confab.cli;

import io.confab.client.Channel;
import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.client.Member;
import io.confab.protocol.AccountId;
import io.confab.screen.Plain;
import io.confab.terminal.Names;
import io.confab.terminal.Unread;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How `room …` shows rooms, channels and members: a line for each.
record RoomPrinter(PrintWriter out) {
  void line(String text) {
    out.println(text);
  }

  /// @param api knows the names of the others in direct rooms
  void rooms(ConfabApi api, List<ChatRoom> rooms) {
    Names names = new Names(api);
    names.learn(rooms.stream().map(ChatRoom::peerId).filter(Objects::nonNull).map(p -> p).toList());
    rooms.forEach(room -> room(room, names));
  }

  private void room(ChatRoom room, Names names) {
    AccountId peer = room.peerId();
    String name = peer == null ? Objects.toString(room.name(), "") : "@" + names.of(peer);
    String role = room.role();
    line(
        "%s  %-7s  %5d members  %-6s  %s%s"
            .formatted(
                room.roomId(),
                Plain.line(room.type()),
                room.memberCount(),
                role == null ? "-" : Plain.line(role),
                Plain.line(name),
                Unread.of(room).suffix()));
  }

  /// What is known of a room besides its line.
  void details(ChatRoom room) {
    String description = room.description();
    if (description != null) {
      Plain.lines(description).forEach(text -> line("  %s".formatted(text)));
    }
    line(
        "  %s messages, %s changes, epoch %s%s"
            .formatted(
                room.seq(),
                room.rev(),
                room.epoch(),
                room.archivedAt() == null ? "" : ", archived"));
  }

  void channel(Channel channel) {
    line(
        "%s  %5d members  %s%s"
            .formatted(
                channel.roomId(),
                channel.memberCount(),
                Plain.line(channel.name()),
                suffix(channel.description())));
  }

  private static String suffix(@Nullable String description) {
    return description == null ? "" : " — " + Plain.line(description);
  }

  void member(Member member) {
    line(
        "%-6s  %s (%s)"
            .formatted(
                Plain.line(member.role()),
                Plain.line(member.handle()),
                Plain.line(member.displayName())));
  }
}
