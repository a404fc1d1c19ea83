package io.confab.cli;

import io.confab.client.Account;
import io.confab.client.ConfabApi;
import io.confab.client.RoomKeeping;
import io.confab.terminal.Plain;
import io.confab.terminal.RoomFinder;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What owners and admins do with a room, as `room …`.
final class RoomKeepingCommands {
  private RoomKeepingCommands() {}

  /// Something that is done to somebody.
  abstract static class ToSomebody extends RoomCommands.OfRoom {
    @Parameters(index = "1", paramLabel = "HANDLE", description = "To whom.")
    private String handle = "";

    ToSomebody(Login login) {
      super(login);
    }

    abstract Future<?> act(RoomKeeping room, Account somebody);

    abstract String done();

    @Override
    final void run(ConfabApi api, PrintWriter out) throws IOException {
      var finder = new RoomFinder(api);
      Account somebody = finder.account(handle);
      act(api.keeping(finder.own(room()).roomId()), somebody).await();
      out.println(Plain.line(somebody.handle()) + " " + done() + ".");
    }
  }

  /// `room remove`
  @Command(name = "remove", description = "Remove a member from a room.")
  static final class Remove extends ToSomebody {
    Remove(Login login) {
      super(login);
    }

    @Override
    Future<?> act(RoomKeeping room, Account somebody) {
      return room.remove(somebody.accountId());
    }

    @Override
    String done() {
      return "is removed";
    }
  }

  /// `room ban`
  @Command(name = "ban", description = "Remove somebody from a room and keep them out.")
  static final class Ban extends ToSomebody {
    @Option(names = "--reason", paramLabel = "TEXT", description = "For other admins to read.")
    private @Nullable String reason;

    Ban(Login login) {
      super(login);
    }

    @Override
    Future<?> act(RoomKeeping room, Account somebody) {
      return room.ban(somebody.accountId(), reason);
    }

    @Override
    String done() {
      return "is banned";
    }
  }

  /// `room unban`
  @Command(name = "unban", description = "Let somebody join again.")
  static final class Unban extends ToSomebody {
    Unban(Login login) {
      super(login);
    }

    @Override
    Future<?> act(RoomKeeping room, Account somebody) {
      return room.unban(somebody.accountId());
    }

    @Override
    String done() {
      return "may join again";
    }
  }

  /// `room mute`
  @Command(name = "mute", description = "Keep a member silent for a time.")
  static final class Mute extends ToSomebody {
    private final InstantSource clock = InstantSource.system();

    @Option(
        names = "--minutes",
        paramLabel = "N",
        defaultValue = "10",
        description = "For how long (10).")
    private long minutes = 10;

    Mute(Login login) {
      super(login);
    }

    @Override
    Future<?> act(RoomKeeping room, Account somebody) {
      return room.mute(somebody.accountId(), clock.instant().plus(Duration.ofMinutes(minutes)));
    }

    @Override
    String done() {
      return "is muted";
    }
  }

  /// `room unmute`
  @Command(name = "unmute", description = "Let a member speak again.")
  static final class Unmute extends ToSomebody {
    Unmute(Login login) {
      super(login);
    }

    @Override
    Future<?> act(RoomKeeping room, Account somebody) {
      return room.unmute(somebody.accountId());
    }

    @Override
    String done() {
      return "may speak again";
    }
  }

  /// `room invite`
  @Command(name = "invite", description = "Print the code of a new invitation.")
  static final class Invite extends RoomCommands.OfRoom {
    @Option(names = "--uses", paramLabel = "N", description = "How many may use it (all).")
    private @Nullable Long uses;

    @Option(names = "--hours", paramLabel = "N", description = "How long it lives (for ever).")
    private @Nullable Long hours;

    Invite(Login login) {
      super(login);
    }

    @Override
    void run(ConfabApi api, PrintWriter out) throws IOException {
      Duration lifetime = hours == null ? null : Duration.ofHours(hours);
      out.println(
          api.keeping(new RoomFinder(api).own(room()).roomId()).invite(lifetime, uses).await());
    }
  }

  /// `room accept`
  @Command(name = "accept", description = "Join by the code of an invitation, in place of ROOM.")
  static final class Accept extends RoomCommands.OfRoom {
    Accept(Login login) {
      super(login);
    }

    @Override
    void run(ConfabApi api, PrintWriter out) {
      out.println("You are in " + api.accept(room()).await().roomId() + ".");
    }
  }

  /// `room archive`
  @Command(name = "archive", description = "End a room for ever; it can still be read.")
  static final class Archive extends RoomCommands.OfRoom {
    Archive(Login login) {
      super(login);
    }

    @Override
    void run(ConfabApi api, PrintWriter out) throws IOException {
      api.keeping(new RoomFinder(api).own(room()).roomId()).archive().await();
      out.println(Plain.line(room()) + " is archived.");
    }
  }
}
