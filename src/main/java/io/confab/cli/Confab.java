package io.confab.cli;

import io.confab.client.ApiException;
import io.confab.config.InvalidConfigException;
import io.confab.protocol.Refusal;
import io.confab.terminal.Plain;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/// The command line: its commands, and how their failures become a line on standard error and an
/// exit code (0 done, 1 failed, 2 wrong use or configuration).
public final class Confab {
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private final Program program;
  private final Map<String, String> environment;
  private final Typed typed;

  public Confab(
      Program program,
      Map<String, String> environment,
      InputStream stdin,
      @Nullable Console console) {
    this.program = program;
    this.environment = environment;
    this.typed = new Typed(stdin, console);
  }

  /// The parser; `execute` runs a command and answers its exit code.
  public CommandLine commandLine() {
    var data = new DataAccess(program);
    CommandLine account =
        new CommandLine(new Account())
            .addSubcommand(new AccountCommands.Create(data, options(), password()))
            .addSubcommand(new AccountCommands.Admin(data, options()))
            .addSubcommand(new AccountCommands.Password(data, options(), password()))
            .addSubcommand(new AccountCommands.Bot(data, options()))
            .addSubcommand(new AccountCommands.Suspend(data, options()))
            .addSubcommand(new AccountCommands.Restore(data, options()))
            .addSubcommand(new AccountCommands.Remove(data, options()))
            .addSubcommand(new AccountCommands.Devices(data, options()))
            .addSubcommand(new AccountCommands.Forget(data, options()));
    CommandLine keys = new CommandLine(new Keys()).addSubcommand(new KeysCommand(data, options()));
    CommandLine epoch =
        new CommandLine(new EpochCommand.Show(data, options()))
            .addSubcommand(new EpochCommand.Bump(data, options()));
    CommandLine room =
        new CommandLine(new Room())
            .addSubcommand(new RoomCommands.ListRooms(login()))
            .addSubcommand(new RoomCommands.Find(login()))
            .addSubcommand(new RoomCommands.Create(login()))
            .addSubcommand(new RoomCommands.Join(login()))
            .addSubcommand(new RoomCommands.Leave(login()))
            .addSubcommand(new RoomCommands.Members(login()))
            .addSubcommand(new RoomCommands.Add(login()))
            .addSubcommand(new RoomCommands.Show(login()))
            .addSubcommand(new RoomKeepingCommands.Remove(login()))
            .addSubcommand(new RoomKeepingCommands.Ban(login()))
            .addSubcommand(new RoomKeepingCommands.Unban(login()))
            .addSubcommand(new RoomKeepingCommands.Mute(login()))
            .addSubcommand(new RoomKeepingCommands.Unmute(login()))
            .addSubcommand(new RoomKeepingCommands.Invite(login()))
            .addSubcommand(new RoomKeepingCommands.Accept(login()))
            .addSubcommand(new RoomKeepingCommands.Archive(login()));
    CommandLine root =
        new CommandLine(new Root())
            .addSubcommand(new ServeCommand(program, options(), typed))
            .addSubcommand(new ClusterCommand(program, environment, options()))
            .addSubcommand(new MigrateCommand(data, options()))
            .addSubcommand(epoch)
            .addSubcommand(new CheckConfigCommand(options()))
            .addSubcommand(account)
            .addSubcommand(keys)
            .addSubcommand(new ChatCommand(login(), typed))
            .addSubcommand(room)
            .addSubcommand(new ReplayCommand(environment, typed))
            .addSubcommand(new ExportCommand(login(), typed))
            .addSubcommand(new VersionCommand());
    withHelp(root);
    return root.setExecutionExceptionHandler(Confab::explain);
  }

  private Login login() {
    return new Login(environment, typed);
  }

  private ConfigOptions options() {
    return new ConfigOptions(environment);
  }

  private PasswordSource password() {
    return new PasswordSource(typed);
  }

  private static void withHelp(CommandLine command) {
    command.getCommandSpec().mixinStandardHelpOptions(true).versionProvider(new VersionCommand());
    command.getSubcommands().values().forEach(Confab::withHelp);
  }

  private static int explain(Exception cause, CommandLine command, ParseResult arguments) {
    switch (cause) {
      case InvalidConfigException invalid -> command.getErr().println(invalid.getMessage());
      case Refusal refusal ->
          command
              .getErr()
              .println(refusal.field().map(f -> f + ": ").orElse("") + refusal.detail());
      // a server may have written it, or a part of it
      case ApiException _, IOException _, UncheckedIOException _ ->
          command
              .getErr()
              .println(
                  Plain.line(Optional.ofNullable(cause.getMessage()).orElseGet(cause::toString)));
      default -> cause.printStackTrace(command.getErr());
    }
    return cause instanceof InvalidConfigException ? MISUSED : FAILED;
  }

  /// Without a command there is nothing to do.
  @Command(
      name = "confab",
      description = "Self-hosted live chat.",
      synopsisSubcommandLabel = "COMMAND")
  static final class Root {}

  /// `room` is a group.
  @Command(
      name = "room",
      description = "Rooms and their members, as one of the accounts.",
      synopsisSubcommandLabel = "COMMAND")
  static final class Room {}

  /// `keys` is a group.
  @Command(
      name = "keys",
      description = "The keys that sign access tokens.",
      synopsisSubcommandLabel = "COMMAND")
  static final class Keys {}

  /// `account` is a group.
  @Command(
      name = "account",
      description = "Make and change accounts.",
      synopsisSubcommandLabel = "COMMAND")
  static final class Account {}
}
