package io.confab.testing;

import io.confab.embedded.UnpackedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program of PostgreSQL that works in a folder and writes to its file `log`: the embedded one,
/// or that of the folder in the property `confab.test.postgres`. PostgreSQL refuses to run as root,
/// so there its programs run as nobody.
record PostgresProgram(String name, List<String> arguments) {
  private static final String NOBODY = "65534";
  private static final long SECONDS = 180;

  static PostgresProgram of(String name, String... arguments) {
    return new PostgresProgram(name, List.of(arguments));
  }

  /// A new cluster in the folder's `data`, where everybody may connect as `postgres`. `initdb` runs
  /// once for all that this JVM makes.
  static void initialise(Path folder) {
    permit(folder);
    copy(Initialised.DATA, folder.resolve("data"));
  }

  private static void permit(Path folder) {
    try {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Copies all files with their owners.
  static void copy(Path from, Path to) {
    execute("cp", "-a", "--no-target-directory", from.toString(), to.toString());
  }

  /// Runs a command of the system to its end.
  static void execute(String... command) {
    try {
      end(new ProcessBuilder(command).inheritIO().start(), String.join(" ", command));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Process start(Path folder) {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("setpriv", "--reuid", NOBODY, "--clear-groups"));
    }
    command.add(file().toString());
    command.addAll(arguments);
    try {
      return new ProcessBuilder(command)
          .directory(folder.toFile())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file() {
    String folder = System.getProperty("confab.test.postgres", "");
    return folder.isEmpty() ? UnpackedPostgres.program(name) : Path.of(folder, name);
  }

  /// Runs it to its end.
  void run(Path folder) {
    end(start(folder), name + " in " + folder);
  }

  private static void end(Process process, String what) {
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IllegalStateException(what + " failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// What `initdb` makes.
  private static final class Initialised {
    static final Path DATA = make();

    private static Path make() {
      Path folder = TempFolders.create("confab-initdb");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> TempFolders.delete(folder)));
      permit(folder);
      Path data = folder.resolve("data");
      of(
              "initdb",
              "--no-sync",
              "-D",
              data.toString(),
              "-A",
              "trust",
              "-U",
              "postgres",
              "-E",
              "UTF-8",
              "--locale=C.UTF-8")
          .run(folder);
      return data;
    }
  }
}
