package io.confab.cli;

import io.confab.client.ChatRoom;
import io.confab.protocol.AccountId;
import io.confab.screen.Plain;
import io.confab.terminal.RoomFinder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `room …`: rooms and their members, as one of the accounts.
@Command(
    name = "room",
    description = "Rooms and their members, as one of the accounts.",
    synopsisSubcommandLabel = "COMMAND")
final class RoomCommands {
  /// The room that a command is about, and who uses it.
  static final class OneRoom {
    @Mixin private final Login login;

    @Parameters(
        index = "0",
        paramLabel = "ROOM",
        description = "Name or id of the room, or @handle.")
    private String name = "";

    OneRoom(Login login) {
      this.login = login;
    }

    Login login() {
      return login;
    }

    String name() {
      return name;
    }
  }

  @Command(description = "Your rooms.")
  void list(@Mixin Login login) throws IOException {
    login.run(api -> login.print().rooms(api, api.rooms().await()));
  }

  @Command(description = "Channels, by a part of their name.")
  void find(
      @Mixin Login login,
      @Parameters(
              arity = "0..1",
              paramLabel = "TEXT",
              defaultValue = "",
              description = "Part of the name; none: all.")
          String text)
      throws IOException {
    login.run(api -> api.findChannels(text).await().forEach(login.print()::channel));
  }

  @Command(description = "Make a channel, which everybody may join, or a group.")
  void create(
      @Mixin Login login,
      @Parameters(paramLabel = "NAME", description = "Name of the room.") String name,
      @Option(names = "--description", paramLabel = "TEXT", description = "What it is for.")
          @Nullable String description,
      @Option(names = "--group", description = "Make a group: only those who are added are in it.")
          boolean group,
      @Option(
              names = "--with",
              split = ",",
              paramLabel = "HANDLE",
              description = "Members of the group from the start.")
          @Nullable List<String> members)
      throws IOException {
    login.run(
        api -> {
          List<AccountId> ids = new ArrayList<>();
          for (String member : Objects.requireNonNullElse(members, List.<String>of())) {
            ids.add(new RoomFinder(api).account(member).accountId());
          }
          ChatRoom made =
              group
                  ? api.createGroup(name, description, ids).await()
                  : api.createChannel(name, description).await();
          for (AccountId member : group ? List.<AccountId>of() : ids) {
            api.add(made.roomId(), member).await();
          }
          login.print().rooms(api, List.of(made));
        });
  }

  @Command(description = "Join a channel.")
  void join(@Mixin OneRoom room) throws IOException {
    room.login.run(
        api -> room.login.print().rooms(api, List.of(new RoomFinder(api).enter(room.name))));
  }

  @Command(description = "Leave a room.")
  void leave(@Mixin OneRoom room) throws IOException {
    room.login.run(
        api -> {
          api.leave(new RoomFinder(api).own(room.name).roomId()).await();
          room.login.print().line("You have left %s.".formatted(Plain.line(room.name)));
        });
  }

  @Command(description = "What is known of a room.")
  void show(@Mixin OneRoom room) throws IOException {
    room.login.run(
        api -> {
          ChatRoom shown = new RoomFinder(api).own(room.name);
          room.login.print().rooms(api, List.of(shown));
          room.login.print().details(shown);
        });
  }

  @Command(description = "Print the code of a new invitation.")
  void invite(
      @Mixin OneRoom room,
      @Option(names = "--uses", paramLabel = "N", description = "How many may use it (all).")
          @Nullable Long uses,
      @Option(names = "--hours", paramLabel = "N", description = "How long it lives (for ever).")
          @Nullable Long hours)
      throws IOException {
    Duration lifetime = hours == null ? null : Duration.ofHours(hours);
    room.login.run(
        api ->
            room.login
                .print()
                .line(
                    "%s"
                        .formatted(
                            api.keeping(new RoomFinder(api).own(room.name).roomId())
                                .invite(lifetime, uses)
                                .await())));
  }

  @Command(description = "Join by the code of an invitation, in place of ROOM.")
  void accept(@Mixin OneRoom room) throws IOException {
    room.login.run(
        api ->
            room.login
                .print()
                .line("You are in %s.".formatted(api.accept(room.name).await().roomId())));
  }

  @Command(description = "End a room for ever; it can still be read.")
  void archive(@Mixin OneRoom room) throws IOException {
    room.login.run(
        api -> {
          api.keeping(new RoomFinder(api).own(room.name).roomId()).archive().await();
          room.login.print().line("%s is archived.".formatted(Plain.line(room.name)));
        });
  }
}
