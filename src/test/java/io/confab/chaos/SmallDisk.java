package io.confab.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// A file system of its own in a file, which can be filled to the last byte. Needs root and loop
/// devices.
final class SmallDisk implements AutoCloseable {
  private static final int CHUNK = 65_536;

  private final Path image;
  private final Path mounted;

  private SmallDisk(Path image, Path mounted) {
    this.image = image;
    this.mounted = mounted;
  }

  /// Empty where this machine does not let us.
  static Optional<SmallDisk> mount(Path folder, int megabytes) {
    Path image = folder.resolve("disk.img");
    Path mounted = folder.resolve("disk");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      Files.createDirectories(mounted);
      // PostgreSQL runs as somebody else, who has to find it
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      file.setLength(megabytes * 1024L * 1024L);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Tool.run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString())
        .flatMap(_ -> Tool.run("mount", "-o", "loop", image.toString(), mounted.toString()))
        .map(_ -> new SmallDisk(image, mounted));
  }

  /// A folder on it.
  Path folder(String name) {
    try {
      return Files.createDirectories(mounted.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Until not one byte more fits.
  void fill() {
    byte[] chunk = new byte[CHUNK];
    for (int size = CHUNK; size > 0; size /= 16) {
      try (OutputStream out =
          Files.newOutputStream(
              mounted.resolve("ballast"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        while (true) {
          out.write(chunk, 0, size);
        }
      } catch (IOException full) {
        // as was wanted: now with smaller pieces
      }
    }
  }

  void free() {
    try {
      Files.deleteIfExists(mounted.resolve("ballast"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    Tool.run("umount", "-l", mounted.toString());
    try {
      Files.deleteIfExists(image);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
