package io.confab.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/// The content of `management.json`, which lies in the data folder while a node runs on it: its
/// management port, and the secret for local commands. Only the owner of the folder can read it.
/// Blocks.
///
/// @param secret made anew at each start
public record ManagementFile(String host, int port, String secret) {
  private static final String FILE = "management.json";
  private static final int SECRET_BYTES = 32;
  private static final JsonMapper JSON = new JsonMapper();

  /// A fresh secret.
  public static ManagementFile create(String host, int port, SecureRandom random) {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return new ManagementFile(host, port, HexFormat.of().formatHex(secret));
  }

  /// Empty when no node has left one in this folder.
  public static Optional<ManagementFile> read(Path dataDir) throws IOException {
    Path file = path(dataDir);
    try {
      return Optional.of(JSON.readValue(Files.readString(file), ManagementFile.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      throw new IOException(file + " is damaged: restart the node, which writes it anew", e);
    }
  }

  static Path path(Path dataDir) {
    return dataDir.resolve(FILE);
  }

  /// Replaces the file in one step; it is never readable by others, nor half written.
  public void write(Path dataDir) throws IOException {
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Path fresh = Files.createTempFile(Files.createDirectories(dataDir), FILE, null, ownerOnly);
    Files.writeString(fresh, JSON.writeValueAsString(this));
    Files.move(fresh, path(dataDir), StandardCopyOption.ATOMIC_MOVE);
  }

  public static void remove(Path dataDir) throws IOException {
    Files.deleteIfExists(path(dataDir));
  }

  /// Hides the secret.
  @Override
  public String toString() {
    return "management port " + host + ":" + port;
  }
}
