package io.confab.embedded;

import io.confab.config.Sha256;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// A ZIP archive of mode 0600, with the SHA-256 of each of its files in its last entry. It has its
/// name when it is whole; until then it is called `NAME.part`.
final class BackupFile implements AutoCloseable {
  private static final String SUMS = "SHA256SUMS";
  private static final int BUFFER = 1 << 16;

  private final Path file;
  private final Path draft;
  private final FileChannel channel;
  private final ZipOutputStream zip;
  private final StringBuilder sums = new StringBuilder();
  private boolean published;

  private BackupFile(Path file, Path draft, FileChannel channel) {
    this.file = file;
    this.draft = draft;
    this.channel = channel;
    this.zip =
        new ZipOutputStream(
            new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER),
            StandardCharsets.UTF_8);
    zip.setLevel(Deflater.BEST_SPEED);
  }

  /// @throws EmbeddedServerException when there is a file of this name, or the draft of one
  static BackupFile create(Path file) throws IOException {
    if (Files.exists(file)) {
      throw exists(file);
    }
    Path draft = file.resolveSibling(file.getFileName() + ".part");
    try {
      return new BackupFile(
          file,
          draft,
          FileChannel.open(
              draft,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
    } catch (FileAlreadyExistsException e) {
      throw new EmbeddedServerException(
          draft + " exists: another backup is under way, or was stopped; then delete it.", e);
    }
  }

  private static EmbeddedServerException exists(Path file) {
    return new EmbeddedServerException(file + " exists already; name another file.");
  }

  void folder(String name) throws IOException {
    zip.putNextEntry(new ZipEntry(name + "/"));
    zip.closeEntry();
  }

  void bytes(String name, byte[] content) throws IOException {
    stream(name, new ByteArrayInputStream(content));
  }

  /// The content that the file has while it is read; a file that is gone is left out. Answers how
  /// many bytes that were.
  long file(String name, Path source) throws IOException {
    try (InputStream in = Files.newInputStream(source)) {
      return stream(name, in);
    } catch (NoSuchFileException gone) {
      return 0;
    }
  }

  private long stream(String name, InputStream content) throws IOException {
    DigestInputStream in = new DigestInputStream(content, Sha256.start());
    zip.putNextEntry(new ZipEntry(name));
    long size = in.transferTo(zip);
    zip.closeEntry();
    sums.append(hex(in)).append("  ").append(name).append('\n');
    return size;
  }

  private static String hex(DigestInputStream in) {
    return HexFormat.of().formatHex(in.getMessageDigest().digest());
  }

  /// Writes the sums, brings all to the disk, and gives the archive its name. Answers its size.
  long publish() throws IOException {
    zip.putNextEntry(new ZipEntry(SUMS));
    zip.write(sums.toString().getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
    zip.finish();
    zip.flush();
    channel.force(true);
    long size = channel.size();
    if (Files.exists(file)) {
      throw exists(file);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    published = true;
    try (FileChannel names = FileChannel.open(file.resolveSibling(""), StandardOpenOption.READ)) {
      names.force(true);
    }
    return size;
  }

  /// Deletes the draft of what was not published.
  @Override
  public void close() throws IOException {
    channel.close();
    if (!published) {
      Files.deleteIfExists(draft);
    }
  }

  /// Writes everything into a folder, files with mode 0600 and folders with 0700, and compares each
  /// file with its sum.
  ///
  /// @throws EmbeddedServerException when the archive is not whole, or not one of ours
  static void unpack(Path archive, Path target) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile(), StandardCharsets.UTF_8)) {
      Map<String, String> sums = sums(zip);
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(e -> (ZipEntry) e)::iterator) {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
          throw new ZipException("it reaches outside: " + entry.getName());
        }
        if (entry.isDirectory()) {
          privateFolders(path);
        } else if (!entry.getName().equals(SUMS)) {
          privateFolders(Objects.requireNonNull(path.getParent()));
          if (!write(zip.getInputStream(entry), path).equals(sums.remove(entry.getName()))) {
            throw new ZipException(entry.getName() + " is not what was written");
          }
        }
      }
      if (!sums.isEmpty()) {
        throw new ZipException(sums.keySet().iterator().next() + " is missing");
      }
    } catch (ZipException | EOFException damaged) {
      throw new EmbeddedServerException(
          archive + " is damaged or no backup: " + damaged.getMessage() + ".", damaged);
    }
  }

  private static Map<String, String> sums(ZipFile zip) throws IOException {
    ZipEntry entry = zip.getEntry(SUMS);
    if (entry == null) {
      throw new ZipException("it has no " + SUMS);
    }
    Map<String, String> sums = new HashMap<>();
    try (InputStream in = zip.getInputStream(entry)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().toList()) {
        String[] sum = line.split("  ", 2);
        if (sum.length < 2) {
          throw new ZipException(SUMS + " cannot be read");
        }
        sums.put(sum[1], sum[0]);
      }
    }
    return sums;
  }

  private static String write(InputStream content, Path path) throws IOException {
    try (DigestInputStream in = new DigestInputStream(content, Sha256.start());
        FileChannel out =
            FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")))) {
      OutputStream stream = Channels.newOutputStream(out);
      in.transferTo(stream);
      return hex(in);
    }
  }

  private static void privateFolders(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }
}
