package io.confab.cli;

import io.confab.demo.IrcLog;
import io.confab.demo.Replay;
import io.confab.protocol.Secret;
import io.confab.screen.Plain;
import io.confab.screen.PlainScreen;
import io.confab.screen.Screen;
import io.confab.terminal.OwnerFile;
import io.confab.terminal.SignInFile;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `replay`: an IRC log, said again.
@Command(
    description = {
      "Say an IRC log again in a channel: lines `[HH:MM] <nick> text`, each nick by an account that"
          + " the command makes (handle: n and the nick). A second run adds nothing.",
      "",
      "The accounts' password is that of CONFAB_PASSWORD, else one that is made once and kept in"
          + " the file that the summary names.",
      ""
    })
final class ReplayCommand implements Callable<Integer> {
  private static final int PASSWORD_BYTES = 18;

  private final Map<String, String> environment;
  private final Typed typed;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final ServerAddresses servers;

  @Option(
      names = "--room",
      required = true,
      paramLabel = "CHANNEL",
      description = "Where to; made when there is no such channel.")
  private String room = "";

  @Option(
      names = "--speed",
      paramLabel = "FACTOR",
      description =
          "How many times faster than it was said: 1 is real time, 60 an hour in a minute, 0 as"
              + " fast as it goes (default).")
  private double speed;

  @Parameters(paramLabel = "FILE", description = "The log.")
  private Path file = Path.of("");

  ReplayCommand(Map<String, String> environment, Typed typed) {
    this.environment = environment;
    this.typed = typed;
    this.servers = new ServerAddresses(environment);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!(speed >= 0 && Double.isFinite(speed))) {
      throw Typed.misuse(spec, "--speed must be 0 or more");
    }
    IrcLog log = IrcLog.read(file);
    Screen screen = new PlainScreen(spec.commandLine().getOut(), typed.isTerminal());
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
    try {
      Replay.Summary summary =
          new Replay(vertx, servers.all(), password(), screen, speed).run(log, room);
      print(log, summary, screen);
      return summary.refused() == 0 ? 0 : 1;
    } finally {
      vertx.close().await();
    }
  }

  private void print(IrcLog log, Replay.Summary summary, Screen screen) {
    screen.line(
        "%s: %d lines of %d people, %d new, %d there already%s."
            .formatted(
                Plain.line(room),
                log.lines().size(),
                log.nicks().size(),
                summary.added(),
                summary.known(),
                summary.refused() == 0 ? "" : ", " + summary.refused() + " refused"));
    if (summary.added() == 0) {
      screen.line("Nothing was added.");
    }
    screen.line(
        "Left out: %d joins, actions and the like, %d lines that say nothing."
            .formatted(log.leftOut(), log.blank()));
    screen.line(
        "Password of the accounts: "
            + (environment.containsKey("CONFAB_PASSWORD")
                ? "that of CONFAB_PASSWORD"
                : passwordFile()));
  }

  private Secret password() throws IOException {
    Optional<String> given = Optional.ofNullable(environment.get("CONFAB_PASSWORD"));
    if (given.isPresent()) {
      return new Secret(given.get());
    }
    Path kept = passwordFile();
    if (!Files.exists(kept)) {
      byte[] random = new byte[PASSWORD_BYTES];
      new SecureRandom().nextBytes(random);
      OwnerFile.write(kept, Base64.getUrlEncoder().encodeToString(random));
    }
    return new Secret(Files.readString(kept).strip());
  }

  private Path passwordFile() {
    return SignInFile.folder(environment).resolve("replay.password");
  }
}
