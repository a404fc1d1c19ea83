package io.confab.cli;

import io.confab.client.ApiException;
import io.confab.config.FileFault;
import io.confab.config.InvalidConfigException;
import io.confab.protocol.Refusal;
import io.confab.screen.Plain;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/// The command line: its commands, and how their failures become a line on standard error and an
/// exit code (0 done, 1 failed, 2 wrong use or configuration, 75 failed and may pass by itself).
public final class Confab {
  private static final int FAILED = 1;
  private static final int MISUSED = 2;
  private static final int TRY_AGAIN = 75; // EX_TEMPFAIL of sysexits.h

  private final Program program;
  private final Map<String, String> environment;
  private final Typed typed;

  public Confab(Program program, Map<String, String> environment, InputStream stdin, Tty tty) {
    this.program = program;
    this.environment = environment;
    this.typed = new Typed(stdin, tty);
  }

  /// Runs the command that these arguments name and answers its exit code.
  public int execute(PrintWriter out, PrintWriter err, String... arguments) {
    return parser(arguments)
        .setOut(out)
        .setErr(err)
        .setExecutionExceptionHandler(Confab::explain)
        .execute(arguments);
  }

  /// With the one command that is named; with all where none is, for what is told then. To look at
  /// a command takes longer than many need to run.
  private CommandLine parser(String... arguments) {
    SequencedMap<String, Supplier<CommandLine>> commands = commands();
    if (arguments.length > 0 && commands.containsKey(arguments[0])) {
      commands.keySet().retainAll(Set.of(arguments[0]));
    }
    CommandLine root = new CommandLine(new Root());
    commands.forEach((name, command) -> root.addSubcommand(name, command.get()));
    // Not in the annotation, from which `epoch` would inherit that it needs a command.
    root.getCommandSpec().usageMessage().synopsisSubcommandLabel("COMMAND");
    return root;
  }

  private SequencedMap<String, Supplier<CommandLine>> commands() {
    SequencedMap<String, Supplier<CommandLine>> commands = new LinkedHashMap<>();
    commands.put("serve", () -> one(new ServeCommand(program, options(), typed)));
    commands.put("cluster", () -> one(new ClusterCommand(program, environment, options())));
    commands.put("migrate", () -> one(new MigrateCommand(data())));
    commands.put("epoch", () -> group(new EpochCommand(data())));
    commands.put("unread", () -> one(new UnreadCommand(data())));
    commands.put("backup", () -> one(new BackupCommand(program, options())));
    commands.put("restore", () -> one(new RestoreCommand(program, options())));
    commands.put("check-config", () -> one(new CheckConfigCommand(program, options())));
    commands.put("account", () -> group(new AccountCommands()));
    commands.put("keys", () -> group(new KeysCommands()));
    commands.put("chat", () -> one(new ChatCommand(login(), typed, environment)));
    commands.put("room", () -> group(new RoomCommands()));
    commands.put("replay", () -> one(new ReplayCommand(environment, typed)));
    commands.put("export", () -> one(new ExportCommand(login(), typed)));
    commands.put("version", () -> one(new VersionCommand()));
    return commands;
  }

  private static CommandLine one(Object command) {
    return new CommandLine(command);
  }

  /// A command whose methods are commands too.
  private CommandLine group(Object commands) {
    return new CommandLine(commands, new Parts());
  }

  /// Makes what the methods of a group share, new for each of them.
  private final class Parts implements IFactory {
    private final Map<Class<?>, Supplier<?>> makers =
        Map.of(
            DataAccess.class, Confab.this::data,
            AccountCommands.OneAccount.class, () -> new AccountCommands.OneAccount(data()),
            PasswordSource.class, () -> new PasswordSource(typed),
            Login.class, Confab.this::login,
            RoomCommands.OneRoom.class, () -> new RoomCommands.OneRoom(login()),
            RoomCommands.OneMember.class,
                () -> new RoomCommands.OneMember(new RoomCommands.OneRoom(login())));

    @Override
    public <K> K create(Class<K> type) throws Exception {
      Supplier<?> maker = makers.get(type);
      return maker == null ? CommandLine.defaultFactory().create(type) : type.cast(maker.get());
    }
  }

  private DataAccess data() {
    return new DataAccess(program, options());
  }

  private Login login() {
    return new Login(environment, typed);
  }

  private ConfigOptions options() {
    return new ConfigOptions(environment);
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
          command.getErr().println(Plain.line(words(cause)));
      default -> cause.printStackTrace(command.getErr());
    }
    return switch (cause) {
      case InvalidConfigException _ -> MISUSED;
      case TryAgainException _ -> TRY_AGAIN;
      default -> FAILED;
    };
  }

  private static String words(Exception cause) {
    return switch (cause) {
      case UncheckedIOException wrapper -> words(Objects.requireNonNull(wrapper.getCause()));
      case IOException failure -> FileFault.text(failure);
      default -> Optional.ofNullable(cause.getMessage()).orElse("It failed.");
    };
  }

  /// Without a command there is nothing to do.
  @Command(
      name = "confab",
      description = "Self-hosted live chat.",
      mixinStandardHelpOptions = true,
      versionProvider = VersionCommand.class,
      scope = ScopeType.INHERIT)
  static final class Root {}
}
