package io.confab.embedded;

import io.confab.config.FileFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The folder where Confab keeps everything that must outlive the process, locked for one Confab
/// at a time and closed to other users (mode 0700).
public final class DataDir implements AutoCloseable {
  private static final int SECRET_BYTES = 24;
  private static final String LOCK = "confab.lock";

  private final Path path;
  private final FileChannel lockFile;

  private DataDir(Path path, FileChannel lockFile) {
    this.path = path;
    this.lockFile = lockFile;
  }

  /// Makes the folder when it is missing, and locks it until [#close()] or the end of the JVM.
  ///
  /// @throws EmbeddedServerException when another Confab has it, or this user may not write there
  public static DataDir open(Path folder) {
    Path path = folder.toAbsolutePath().normalize();
    return openUnlessUsed(path)
        .orElseThrow(
            () ->
                new EmbeddedServerException(
                    "The data folder "
                        + path
                        + " is in use by another Confab (process "
                        + owner(path)
                        + "); stop that one or name another folder with --data-dir."));
  }

  /// Why this user cannot make or use the folder, as far as is known without trying, in words that
  /// follow on its name; whether another Confab has it, only [#open] finds out.
  static Optional<String> fault(Path folder) {
    Path there =
        Stream.iterate(
                folder.toAbsolutePath().normalize(), Objects::nonNull, path -> path.getParent())
            .filter(Files::exists)
            .findFirst()
            .orElseThrow();
    if (!Files.isDirectory(there)) {
      return Optional.of("cannot be used: %s is no folder".formatted(there));
    }
    return Files.isWritable(there)
        ? Optional.empty()
        : Optional.of("cannot be used: there is no right to write in %s".formatted(there));
  }

  /// The same, and empty when another Confab has it.
  static Optional<DataDir> openUnlessUsed(Path folder) {
    Path path = folder.toAbsolutePath().normalize();
    try {
      Files.createDirectories(path);
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
      Optional<FileChannel> lock = lock(path);
      return lock.isEmpty()
          ? Optional.empty()
          : Optional.of(new DataDir(path.toRealPath(), lock.get()));
    } catch (IOException e) {
      throw new EmbeddedServerException(
          "The data folder "
              + path
              + " cannot be used: "
              + FileFault.text(e)
              + "; name another with --data-dir.",
          e);
    }
  }

  private static Optional<FileChannel> lock(Path path) throws IOException {
    FileChannel file =
        FileChannel.open(
            path.resolve(LOCK),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      if (tryLock(file).isEmpty()) {
        file.close();
        return Optional.empty();
      }
      file.truncate(0).write(utf8(Long.toString(ProcessHandle.current().pid())), 0);
      return Optional.of(file);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static Optional<FileLock> tryLock(FileChannel file) throws IOException {
    try {
      return Optional.ofNullable(file.tryLock());
    } catch (OverlappingFileLockException heldByThisJvm) {
      return Optional.empty();
    }
  }

  private static String owner(Path path) {
    try {
      return Files.readString(path.resolve(LOCK));
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  public Path path() {
    return path;
  }

  /// A folder of the given name inside, mode 0700, made when missing.
  public Path folder(String name) {
    try {
      Path folder = path.resolve(name);
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A random text that stays the same for ever: 192 bits in URL-safe letters, made at the first
  /// call and kept under this name in a file of mode 0600.
  public String secret(String name) {
    Path file = secretFile(name);
    try {
      if (!Files.exists(file)) {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        write(file, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Where the embedded servers are unpacked, unless several data folders share a place.
  Path programs() {
    return path.resolve("bin");
  }

  Path secretFile(String name) {
    return folder("secrets").resolve(name);
  }

  /// Writes a file of mode 0600: whole and on the disk, or not at all.
  static void write(Path file, String text) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    try (FileChannel channel =
        FileChannel.open(
            draft,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer bytes = utf8(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /// Releases the lock, so that another Confab may open the folder.
  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
