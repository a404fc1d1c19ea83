package io.confab.cli;

import io.confab.client.Account;
import io.confab.client.ChatRoom;
import io.confab.client.RoomKeeping;
import io.confab.protocol.AccountId;
import io.confab.screen.Plain;
import io.confab.terminal.Adding;
import io.confab.terminal.RoomFinder;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `room …`: rooms and their members, as one of the accounts.
@Command(
    description = "Rooms and their members, as one of the accounts.",
    synopsisSubcommandLabel = "COMMAND")
final class RoomCommands {
  private final InstantSource clock = InstantSource.system();

  @Spec private CommandSpec spec = CommandSpec.create();

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
  }

  /// The account that a command is about, in a room.
  static final class OneMember {
    @Mixin private final OneRoom room;

    @Parameters(index = "1", paramLabel = "HANDLE", description = "To whom.")
    private String handle = "";

    OneMember(OneRoom room) {
      this.room = room;
    }
  }

  @Command(description = "Your rooms.")
  void list(@Mixin Login login) throws IOException {
    login.run(api -> print().rooms(api, api.rooms().await()));
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
    login.run(api -> api.findChannels(text).await().forEach(print()::channel));
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
          print().rooms(api, List.of(made));
        });
  }

  @Command(description = "Join a channel.")
  void join(@Mixin OneRoom room) throws IOException {
    room.login.run(api -> print().rooms(api, List.of(new RoomFinder(api).enter(room.name))));
  }

  @Command(description = "Leave a room.")
  void leave(@Mixin OneRoom room) throws IOException {
    room.login.run(
        api -> {
          api.leave(new RoomFinder(api).own(room.name).roomId()).await();
          print().line("You have left %s.".formatted(Plain.line(room.name)));
        });
  }

  @Command(description = "Who is in a room.")
  void members(@Mixin OneRoom room) throws IOException {
    room.login.run(
        api ->
            api.members(new RoomFinder(api).own(room.name).roomId())
                .await()
                .forEach(print()::member));
  }

  @Command(description = "What is known of a room.")
  void show(@Mixin OneRoom room) throws IOException {
    room.login.run(
        api -> {
          ChatRoom shown = new RoomFinder(api).own(room.name);
          print().rooms(api, List.of(shown));
          print().details(shown);
        });
  }

  @Command(description = "Make people members of a room.")
  void add(
      @Mixin OneRoom room,
      @Parameters(
              index = "1..*",
              arity = "1..*",
              paramLabel = "HANDLE",
              description = "Whom to add.")
          List<String> handles)
      throws IOException {
    room.login.run(
        api ->
            new Adding(api)
                .add(new RoomFinder(api).own(room.name).roomId(), handles, print()::line));
  }

  @Command(description = "Remove a member from a room.")
  void remove(@Mixin OneMember member) throws IOException {
    keep(member, RoomKeeping::remove, "is removed");
  }

  @Command(description = "Remove somebody from a room and keep them out.")
  void ban(
      @Mixin OneMember member,
      @Option(names = "--reason", paramLabel = "TEXT", description = "For other admins to read.")
          @Nullable String reason)
      throws IOException {
    keep(member, (room, account) -> room.ban(account, reason), "is banned");
  }

  @Command(description = "Let somebody join again.")
  void unban(@Mixin OneMember member) throws IOException {
    keep(member, RoomKeeping::unban, "may join again");
  }

  @Command(description = "Keep a member silent for a time.")
  void mute(
      @Mixin OneMember member,
      @Option(
              names = "--minutes",
              paramLabel = "N",
              defaultValue = "10",
              description = "For how long (10).")
          long minutes)
      throws IOException {
    keep(
        member,
        (room, account) -> room.mute(account, clock.instant().plus(Duration.ofMinutes(minutes))),
        "is muted");
  }

  @Command(description = "Let a member speak again.")
  void unmute(@Mixin OneMember member) throws IOException {
    keep(member, RoomKeeping::unmute, "may speak again");
  }

  private void keep(
      OneMember member, BiFunction<RoomKeeping, AccountId, Future<?>> act, String done)
      throws IOException {
    member.room.login.run(
        api -> {
          var finder = new RoomFinder(api);
          Account account = finder.account(member.handle);
          RoomKeeping room = api.keeping(finder.own(member.room.name).roomId());
          act.apply(room, account.accountId()).await();
          print().line("%s %s.".formatted(Plain.line(account.handle()), done));
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
            print()
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
        api -> print().line("You are in %s.".formatted(api.accept(room.name).await().roomId())));
  }

  @Command(description = "End a room for ever; it can still be read.")
  void archive(@Mixin OneRoom room) throws IOException {
    room.login.run(
        api -> {
          api.keeping(new RoomFinder(api).own(room.name).roomId()).archive().await();
          print().line("%s is archived.".formatted(Plain.line(room.name)));
        });
  }

  private RoomPrinter print() {
    return new RoomPrinter(spec.commandLine().getOut());
  }
}
