package io.confab.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/// Writes files that only their owner can read, mode 0600, in a folder of mode 0700.
public final class OwnerFile {
  private OwnerFile() {}

  /// Writes the whole file or nothing; others can never read it. The folder is made.
  public static void write(Path file, String text) throws IOException {
    Path folder = Files.createDirectories(file.toAbsolutePath().resolveSibling(""));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Path draft = Files.createTempFile(folder, "draft", null, ownerOnly);
    Files.writeString(draft, text);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
