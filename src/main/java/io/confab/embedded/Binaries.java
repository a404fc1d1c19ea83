package io.confab.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/// The server programs, unpacked from the class path into a cache folder named after version and
/// content. An unpacked folder appears whole or not at all: several JVMs may unpack at once.
final class Binaries {
  private final Path cache;

  Binaries(Path cache) {
    this.cache = cache;
  }

  /// The folder with `bin/postgres` and `bin/initdb`.
  Path postgres() {
    return unpacked(
        "postgres-18.6",
        "postgres-linux-" + processor("x86_64", "arm_64") + ".txz",
        Binaries::untar);
  }

  /// The program file.
  Path redis() {
    Path folder =
        unpacked(
            "redis-7.0.15",
            "redis-server-7.0.15-linux-" + processor("amd64", "arm64"),
            (resource, target) -> {
              Files.copy(resource, target.resolve("redis-server"));
              permit(target.resolve("redis-server"), "rwxr-xr-x");
            });
    return folder.resolve("redis-server");
  }

  private static String processor(String intel, String arm) {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String processor = System.getProperty("os.arch", "");
    if (system.equals("linux") && processor.equals("amd64")) {
      return intel;
    }
    if (system.equals("linux") && processor.equals("aarch64")) {
      return arm;
    }
    throw new EmbeddedServerException(
        "The embedded servers run on Linux with x86-64 or ARM64, not on "
            + system
            + " with "
            + processor
            + "; set postgres.url and redis.url.");
  }

  /// Leaves the resource open.
  private interface Unpacking {
    void unpack(InputStream resource, Path target) throws IOException;
  }

  private Path unpacked(String name, String resource, Unpacking unpacking) {
    try {
      Content content = content(resource);
      Path target = cache.resolve(name + "-" + content);
      if (!Files.exists(target)) {
        Files.createDirectories(cache);
        permit(cache, "rwxr-xr-x");
        Path draft = Files.createTempDirectory(cache, name + ".unpacking-");
        permit(draft, "rwxr-xr-x");
        try (CheckedInputStream in = new CheckedInputStream(open(resource), new CRC32())) {
          unpacking.unpack(in, draft);
          in.transferTo(OutputStream.nullOutputStream());
          if (in.getChecksum().getValue() != content.crc()) {
            throw new IOException(resource + " is damaged");
          }
          publish(draft, target);
        } finally {
          Folders.delete(draft);
        }
      }
      return target;
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot unpack " + name + " in " + cache + ": " + e, e);
    }
  }

  private static void publish(Path draft, Path target) throws IOException {
    try {
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.exists(target)) {
        throw e;
      }
      // Another JVM was faster; what it unpacked is the same.
    }
  }

  private static void untar(InputStream resource, Path target) throws IOException {
    TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(resource));
    for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      Path file = target.resolve(entry.getName()).normalize();
      if (!file.startsWith(target)) {
        throw new IOException("The archive reaches outside: " + entry.getName());
      }
      if (entry.isDirectory()) {
        Files.createDirectories(file);
      } else if (entry.isSymbolicLink()) {
        Files.createDirectories(file.getParent());
        Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
      } else {
        Files.createDirectories(file.getParent());
        Files.copy(tar, file);
        permit(file, (entry.getMode() & 0100) != 0 ? "rwxr-xr-x" : "rw-r--r--");
      }
    }
  }

  private static void permit(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  /// What tells one content from another.
  private record Content(long crc, long size) {
    @Override
    public String toString() {
      return "%08x-%x".formatted(crc, size);
    }
  }

  /// As the jar notes it of the entry: to read some megabytes at each start would cost more than
  /// all else here.
  private static Content content(String resource) throws IOException {
    URLConnection found = find(resource).openConnection();
    if (found instanceof JarURLConnection jar) {
      JarEntry entry = jar.getJarEntry();
      return new Content(entry.getCrc(), entry.getSize());
    }
    CheckedInputStream in = new CheckedInputStream(found.getInputStream(), new CRC32());
    try (in) {
      long size = in.transferTo(OutputStream.nullOutputStream());
      return new Content(in.getChecksum().getValue(), size);
    }
  }

  private static InputStream open(String resource) throws IOException {
    return new BufferedInputStream(find(resource).openStream(), 1 << 16);
  }

  private static URL find(String resource) {
    URL found = Binaries.class.getResource("/" + resource);
    if (found == null) {
      throw new EmbeddedServerException("This jar was built without " + resource + ".");
    }
    return found;
  }
}
