package io.confab.cli;

import io.confab.client.Account;
import io.confab.client.ChatRoom;
import io.confab.client.RoomKeeping;
import io.confab.protocol.AccountId;
import io.confab.screen.Plain;
import io.confab.terminal.RoomFinder;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `room …` about members: who they are, and what owners and admins do with them.
@Command(name = "room")
final class MemberCommands {
  private final InstantSource clock = InstantSource.system();

  /// The account that a command is about, in a room.
  static final class OneMember {
    @Mixin private final RoomCommands.OneRoom room;

    @Parameters(index = "1", paramLabel = "HANDLE", description = "To whom.")
    private String handle = "";

    OneMember(RoomCommands.OneRoom room) {
      this.room = room;
    }
  }

  @Command(description = "Who is in a room.")
  void members(@Mixin RoomCommands.OneRoom room) throws IOException {
    room.login()
        .run(
            api ->
                api.members(new RoomFinder(api).own(room.name()).roomId())
                    .await()
                    .forEach(room.login().print()::member));
  }

  @Command(description = "Make somebody a member of a room.")
  void add(
      @Mixin RoomCommands.OneRoom room,
      @Parameters(
              index = "1..*",
              arity = "1..*",
              paramLabel = "HANDLE",
              description = "Whom to add.")
          List<String> handles)
      throws IOException {
    room.login()
        .run(
            api -> {
              var finder = new RoomFinder(api);
              ChatRoom to = finder.own(room.name());
              for (String handle : handles) {
                Account added = finder.account(handle);
                boolean member = api.add(to.roomId(), added.accountId()).await();
                room.login()
                    .print()
                    .line(
                        (member ? "%s is a member of %s." : "%s is asked to join %s.")
                            .formatted(Plain.line(added.handle()), Plain.line(room.name())));
              }
            });
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
    member
        .room
        .login()
        .run(
            api -> {
              var finder = new RoomFinder(api);
              Account account = finder.account(member.handle);
              RoomKeeping room = api.keeping(finder.own(member.room.name()).roomId());
              act.apply(room, account.accountId()).await();
              member
                  .room
                  .login()
                  .print()
                  .line("%s %s.".formatted(Plain.line(account.handle()), done));
            });
  }
}
