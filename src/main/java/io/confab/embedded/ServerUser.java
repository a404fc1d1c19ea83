package io.confab.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The operating-system user that the servers run as, and what to put before their command for it.
///
/// An ordinary user runs them as itself. PostgreSQL refuses to run as root, so root either
///
///   - becomes the owner of the data folder, or `nobody`, with `setpriv`: a true change of user,
///     used wherever that user can reach the folder; or
///   - uses `unshare -U`: a user namespace in which root has no rights but still owns its files.
///     It reaches folders below `/root`, but containers often forbid it.
record ServerUser(List<String> prefix, int uid, int gid) {
  private static final int ROOT = 0;
  private static final int NOBODY = 65_534;

  static ServerUser of(DataDir dataDir) {
    try {
      // Without the link's target, the owner would always be root.
      int self = uid(Path.of("/proc/self").toRealPath());
      return self == ROOT ? insteadOfRoot(dataDir.path()) : new ServerUser(List.of(), self, -1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServerUser insteadOfRoot(Path folder) throws IOException {
    int owner = uid(folder);
    int uid = owner == ROOT ? NOBODY : owner;
    int gid = owner == ROOT ? NOBODY : (int) Files.getAttribute(folder, "unix:gid");
    List<String> setpriv = List.of("setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups");
    Path parent = folder.getParent() == null ? folder : folder.getParent();
    if (succeeds(setpriv, List.of("test", "-x", parent.toString()))) {
      return new ServerUser(setpriv, uid, gid).owning(folder);
    }
    List<String> unshare = List.of("unshare", "-U");
    if (succeeds(unshare, List.of("true"))) {
      return new ServerUser(unshare, ROOT, ROOT).owning(folder);
    }
    throw new EmbeddedServerException(
        "PostgreSQL does not run as root. Start Confab as an ordinary user, or install `setpriv`"
            + " (package util-linux) and take a data folder that user "
            + uid
            + " can reach ("
            + folder
            + " is not), or permit `unshare -U`.");
  }

  private ServerUser owning(Path folder) throws IOException {
    own(folder);
    return this;
  }

  /// Gives a file or folder to this user, unless the user owns it already.
  void own(Path path) throws IOException {
    if (gid >= 0 && uid(path) != uid) {
      Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /// The same for a folder with everything in it. A folder that the user owns is not walked
  /// through: the folder itself is changed last.
  void ownAll(Path folder) throws IOException {
    if (gid < 0 || uid(folder) == uid) {
      return;
    }
    try (Stream<Path> inside = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) inside.filter(p -> !p.equals(folder))::iterator) {
        own(path);
      }
    }
    own(folder);
  }

  private static int uid(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean succeeds(List<String> prefix, List<String> command) {
    try {
      Process process =
          new ProcessBuilder(Stream.concat(prefix.stream(), command.stream()).toList())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean ended = process.waitFor(5, TimeUnit.SECONDS);
      process.destroyForcibly();
      return ended && process.exitValue() == 0;
    } catch (IOException notInstalled) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
