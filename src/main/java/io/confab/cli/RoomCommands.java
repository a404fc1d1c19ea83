package io.confab.cli;

import io.confab.client.Account;
import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.protocol.AccountId;
import io.confab.terminal.Names;
import io.confab.terminal.Plain;
import io.confab.terminal.RoomFinder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `room …`: rooms and their members, as one of the accounts.
abstract sealed class RoomCommands implements Callable<Integer> {
  @Mixin private final Login login;
  @Spec private CommandSpec spec = CommandSpec.create();

  private RoomCommands(Login login) {
    this.login = login;
  }

  abstract void run(ConfabApi api, PrintWriter out) throws IOException;

  @Override
  public final Integer call() throws IOException {
    try (SignedIn me = login.open()) {
      run(me.api(), spec.commandLine().getOut());
      return 0;
    }
  }

  private static void print(PrintWriter out, ChatRoom room, Names names) {
    AccountId peer = room.peerId();
    String name = peer == null ? Objects.toString(room.name(), "") : "@" + names.of(peer);
    String role = room.role();
    out.println(
        "%s  %-7s  %5d members  %-6s  %s"
            .formatted(
                room.roomId(),
                Plain.line(room.type()),
                room.memberCount(),
                role == null ? "-" : Plain.line(role),
                Plain.line(name)));
  }

  /// Names of the others in direct rooms.
  private static Names namesFor(ConfabApi api, List<ChatRoom> rooms) {
    Names names = new Names(api);
    names.learn(rooms.stream().map(ChatRoom::peerId).filter(Objects::nonNull).map(p -> p).toList());
    return names;
  }

  private static void print(PrintWriter out, ConfabApi api, List<ChatRoom> rooms) {
    Names names = namesFor(api, rooms);
    rooms.forEach(room -> print(out, room, names));
  }

  /// `room list`
  @Command(name = "list", description = "Your rooms.")
  static final class ListRooms extends RoomCommands {
    ListRooms(Login login) {
      super(login);
    }

    @Override
    void run(ConfabApi api, PrintWriter out) {
      print(out, api, api.rooms().await());
    }
  }

  /// `room find`
  @Command(name = "find", description = "Channels, by a part of their name.")
  static final class Find extends RoomCommands {
    @Parameters(arity = "0..1", paramLabel = "TEXT", description = "Part of the name; none: all.")
    private String text = "";

    Find(Login login) {
      super(login);
    }

    @Override
    void run(ConfabApi api, PrintWriter out) {
      api.findChannels(text)
          .await()
          .forEach(
              channel ->
                  out.println(
                      "%s  %5d members  %s%s"
                          .formatted(
                              channel.roomId(),
                              channel.memberCount(),
                              Plain.line(channel.name()),
                              suffix(channel.description()))));
    }

    private static String suffix(@Nullable String description) {
      return description == null ? "" : " — " + Plain.line(description);
    }
  }

  /// `room create`
  @Command(name = "create", description = "Make a channel, which everybody may join, or a group.")
  static final class Create extends RoomCommands {
    @Parameters(paramLabel = "NAME", description = "Name of the room.")
    private String name = "";

    @Option(names = "--description", paramLabel = "TEXT", description = "What it is for.")
    private @Nullable String description;

    @Option(names = "--group", description = "Make a group: only those who are added are in it.")
    private boolean group;

    @Option(
        names = "--with",
        split = ",",
        paramLabel = "HANDLE",
        description = "Members of the group from the start.")
    private List<String> members = new ArrayList<>();

    Create(Login login) {
      super(login);
    }

    @Override
    void run(ConfabApi api, PrintWriter out) throws IOException {
      var finder = new RoomFinder(api);
      List<AccountId> ids = new ArrayList<>();
      for (String member : members) {
        ids.add(finder.account(member).accountId());
      }
      ChatRoom made =
          group
              ? api.createGroup(name, description, ids).await()
              : api.createChannel(name, description).await();
      for (AccountId member : group ? List.<AccountId>of() : ids) {
        api.add(made.roomId(), member).await();
      }
      print(out, api, List.of(made));
    }
  }

  /// A command about one room.
  abstract static non-sealed class OfRoom extends RoomCommands {
    @Parameters(
        index = "0",
        paramLabel = "ROOM",
        description = "Name or id of the room, or @handle.")
    private String room = "";

    OfRoom(Login login) {
      super(login);
    }

    final String room() {
      return room;
    }
  }

  /// `room join`
  @Command(name = "join", description = "Join a channel.")
  static final class Join extends OfRoom {
    Join(Login login) {
      super(login);
    }

    @Override
    void run(ConfabApi api, PrintWriter out) throws IOException {
      print(out, api, List.of(new RoomFinder(api).enter(room())));
    }
  }

  /// `room leave`
  @Command(name = "leave", description = "Leave a room.")
  static final class Leave extends OfRoom {
    Leave(Login login) {
      super(login);
    }

    @Override
    void run(ConfabApi api, PrintWriter out) throws IOException {
      api.leave(new RoomFinder(api).own(room()).roomId()).await();
      out.println("You have left " + Plain.line(room()) + ".");
    }
  }

  /// `room members`
  @Command(name = "members", description = "Who is in a room.")
  static final class Members extends OfRoom {
    Members(Login login) {
      super(login);
    }

    @Override
    void run(ConfabApi api, PrintWriter out) throws IOException {
      api.members(new RoomFinder(api).own(room()).roomId())
          .await()
          .forEach(
              member ->
                  out.println(
                      "%-6s  %s (%s)"
                          .formatted(
                              Plain.line(member.role()),
                              Plain.line(member.handle()),
                              Plain.line(member.displayName()))));
    }
  }

  /// `room show`
  @Command(name = "show", description = "What is known of a room.")
  static final class Show extends OfRoom {
    Show(Login login) {
      super(login);
    }

    @Override
    void run(ConfabApi api, PrintWriter out) throws IOException {
      ChatRoom shown = new RoomFinder(api).own(room());
      print(out, api, List.of(shown));
      String description = shown.description();
      if (description != null) {
        Plain.lines(description).forEach(line -> out.println("  " + line));
      }
      out.println(
          "  %s messages, %s changes, epoch %s%s"
              .formatted(
                  shown.seq(),
                  shown.rev(),
                  shown.epoch(),
                  shown.archivedAt() == null ? "" : ", archived"));
    }
  }

  /// `room add`
  @Command(name = "add", description = "Make somebody a member of a room.")
  static final class Add extends OfRoom {
    @Parameters(index = "1..*", arity = "1..*", paramLabel = "HANDLE", description = "Whom to add.")
    private List<String> handles = new ArrayList<>();

    Add(Login login) {
      super(login);
    }

    @Override
    void run(ConfabApi api, PrintWriter out) throws IOException {
      var finder = new RoomFinder(api);
      ChatRoom to = finder.own(room());
      for (String handle : handles) {
        Account added = finder.account(handle);
        api.add(to.roomId(), added.accountId()).await();
        out.println(Plain.line(added.handle()) + " is a member of " + Plain.line(room()) + ".");
      }
    }
  }
}
