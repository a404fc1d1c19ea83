package io.confab.cli;

import io.confab.client.ChatRoom;
import io.confab.client.ExportEnd;
import io.confab.screen.Plain;
import io.confab.screen.PlainScreen;
import io.confab.screen.Screen;
import io.confab.terminal.RoomFinder;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `export`: a room as NDJSON, oldest message first, in constant memory.
@Command(
    description = {
      "Write a room as NDJSON: one message a line, oldest first, and a last line that says that it"
          + " is whole. Ends with 1 when that line does not come or does not fit.",
      ""
    })
final class ExportCommand implements Callable<Integer> {
  private static final int TOLD_EVERY = 10_000;

  private final Typed typed;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final Login login;

  @Option(
      names = "--room",
      required = true,
      paramLabel = "ROOM",
      description = "Name or id of a room, or @handle.")
  private String room = "";

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to; the file appears once it is whole. Default: standard output.")
  private @Nullable Path file;

  ExportCommand(Login login, Typed typed) {
    this.login = login;
    this.typed = typed;
  }

  @Override
  public Integer call() throws IOException {
    Screen screen = new PlainScreen(spec.commandLine().getErr(), typed.isTerminal());
    try (SignedIn me = login.open()) {
      ChatRoom found = new RoomFinder(me.api()).own(room);
      Path target = file;
      ExportEnd end =
          target == null
              ? export(me, found, spec.commandLine().getOut(), screen)
              : toFile(me, found, target, screen);
      screen.clearStatus();
      screen.line(
          "Exported %d messages of %s, up to rev %s of epoch %s."
              .formatted(end.count(), Plain.line(room), end.rev(), end.epoch()));
      return 0;
    }
  }

  private static ExportEnd toFile(SignedIn me, ChatRoom room, Path target, Screen screen)
      throws IOException {
    Path part = target.resolveSibling(target.getFileName() + ".part");
    ExportEnd end;
    try (Writer out = Files.newBufferedWriter(part)) {
      end = export(me, room, out, screen);
    }
    Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    return end;
  }

  private static ExportEnd export(SignedIn me, ChatRoom room, Writer out, Screen screen)
      throws IOException {
    var target = new ExportTarget(out);
    try {
      ExportEnd end =
          me.api().export(room.roomId(), json -> write(me, target, json, room, screen)).await();
      target.flush();
      if (target.lines() != end.count() + 1) {
        throw new IOException(
            "The export is not whole: %d messages came, %d were announced."
                .formatted(target.lines() - 1, end.count()));
      }
      return end;
    } catch (ExportTarget.Full full) {
      throw full.why();
    }
  }

  /// Writes off the event loop, as the target may be slow.
  private static Future<Void> write(
      SignedIn me, ExportTarget target, String json, ChatRoom room, Screen screen) {
    return me.vertx()
        .executeBlocking(
            () -> {
              target.line(json);
              if (target.lines() % TOLD_EVERY == 0) {
                screen.status(target.lines() + " of about " + room.seq() + " messages");
              }
              return null;
            });
  }
}
