package io.confab.client.sealed;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The folder of a [SealedStore]: mode 0700, its files 0600.
final class StoreFolder {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private final Path path;

  private StoreFolder(Path path) {
    this.path = path;
  }

  static StoreFolder make(Path path) throws IOException {
    Files.createDirectories(path, mode("rwx------"));
    return new StoreFolder(path);
  }

  Path log() {
    return path.resolve("sealed.log");
  }

  /// What is to become the log.
  Path draft() {
    return path.resolve("sealed.log.new");
  }

  /// Holds the folder until the channel of the lock is closed; refused where another holds it.
  FileLock lock() throws IOException {
    FileChannel channel = open(path.resolve("sealed.lock"));
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException _) {
      // Held by this process.
    }
    if (lock == null) {
      channel.close();
      throw new IOException(path + " is in use.");
    }
    return lock;
  }

  /// The same failure, with the file that it concerns.
  IOException named(IOException failure) {
    if (failure instanceof FileSystemException) {
      return failure;
    }
    IOException named = new FileSystemException(log().toString(), null, failure.getMessage());
    named.initCause(failure);
    return named;
  }

  /// Opens a file for reading and writing; makes it where there is none.
  FileChannel open(Path file) throws IOException {
    boolean there = Files.exists(file);
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE),
            mode("rw-------"));
    if (there && POSIX) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    return channel;
  }

  /// Gives the draft the name of the log, and keeps that for good.
  void replaceLog() throws IOException {
    Files.move(draft(), log(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    keepNames();
  }

  /// Writes to disk which files there are.
  void keepNames() throws IOException {
    if (POSIX) {
      try (FileChannel names = FileChannel.open(path, StandardOpenOption.READ)) {
        names.force(true);
      }
    }
  }

  private static FileAttribute<?>[] mode(String mode) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }
}
