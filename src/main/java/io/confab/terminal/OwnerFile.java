package io.confab.terminal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Writes files that only their owner can read, mode 0600; folders that it makes have mode 0700.
public final class OwnerFile {
  private OwnerFile() {}

  /// Writes the whole file or nothing, and forces it to disk, so that it stands after a loss of
  /// power too; others can never read it. The folder is made.
  public static void write(Path file, String text) throws IOException {
    Path folder = makeFolder(file);
    Path draft = Files.createTempFile(folder, "draft", null, ownerOnly());
    try {
      try (FileChannel written = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        for (ByteBuffer rest = StandardCharsets.UTF_8.encode(text); rest.hasRemaining(); ) {
          written.write(rest);
        }
        written.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
        names.force(true);
      }
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /// Makes an empty file, unless it is there.
  static void touch(Path file) throws IOException {
    makeFolder(file);
    try {
      Files.createFile(file, ownerOnly());
    } catch (FileAlreadyExistsException _) {
      // as asked
    }
  }

  /// A folder that is there keeps its mode, which may be meant for others' files in it.
  private static Path makeFolder(Path file) throws IOException {
    return Files.createDirectories(file.toAbsolutePath().resolveSibling(""), mode("rwx------"));
  }

  private static FileAttribute<Set<PosixFilePermission>> ownerOnly() {
    return mode("rw-------");
  }

  private static FileAttribute<Set<PosixFilePermission>> mode(String mode) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
  }
}
