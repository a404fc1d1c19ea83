package io.confab.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.confab.client.CredentialStore;
import io.confab.client.Credentials;
import io.confab.config.FileFault;
import io.confab.config.Sha256;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A sign-in kept in a file that only its owner can read (mode 0600): one for each server, handle
/// and device. The first of several servers names the file; a sign-in that was kept for another of
/// them is found too.
public final class SignInFile implements CredentialStore {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String OTHER = "[^A-Za-z0-9._~-]";
  private static final String END = ".json";
  private static final int MOST_SHOWN = 150;
  private static final int DIGEST_BYTES = 8;

  private final Vertx vertx;
  private final Path file;
  private final List<Path> files;

  private SignInFile(Vertx vertx, List<Path> files) {
    this.vertx = vertx;
    this.files = files;
    this.file = files.stream().filter(Files::exists).findFirst().orElseGet(files::getFirst);
  }

  /// @param folder is made when something is kept, closed to others
  public static SignInFile in(
      Path folder, Vertx vertx, List<URI> servers, String handle, String device) {
    return new SignInFile(
        vertx,
        servers.stream().map(server -> folder.resolve(name(server, handle, device))).toList());
  }

  /// The digest keeps names apart that look the same to a person or to a file system.
  private static String name(URI server, String handle, String device) {
    String authority = server.getAuthority().toLowerCase(Locale.ROOT);
    String folded = handle.toLowerCase(Locale.ROOT);
    String shown = authority + "~" + folded + "~" + device;
    return shown.substring(0, Math.min(MOST_SHOWN, shown.length())).replaceAll(OTHER, "-")
        + "~"
        + Sha256.hex(String.join("\0", server.getScheme(), authority, folded, device), DIGEST_BYTES)
        + END;
  }

  /// The folder for sign-ins of a user: `confab/sign-ins` below `XDG_CONFIG_HOME` or `~/.config`.
  public static Path folder(Map<String, String> environment) {
    return Optional.ofNullable(environment.get("XDG_CONFIG_HOME"))
        .filter(path -> !path.isEmpty())
        .map(Path::of)
        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".config"))
        .resolve("confab")
        .resolve("sign-ins");
  }

  Path file() {
    return file;
  }

  /// What it and those for the other servers are called, without their ends; its own first.
  List<String> names() {
    return Stream.concat(Stream.of(file), files.stream())
        .map(path -> path.getFileName().toString())
        .map(name -> name.substring(0, name.length() - END.length()))
        .distinct()
        .toList();
  }

  @Override
  public Future<Optional<Credentials>> load() {
    return vertx.executeBlocking(() -> read(file));
  }

  @Override
  public Future<Void> save(Credentials credentials) {
    return vertx.executeBlocking(
        () -> {
          try {
            OwnerFile.write(file, text(credentials));
          } catch (IOException failure) {
            throw new IOException(
                "The sign-in cannot be kept in %s: %s".formatted(file, FileFault.reason(failure)),
                failure);
          }
          return null;
        });
  }

  @Override
  public Future<Void> clear() {
    return vertx.executeBlocking(
        () -> {
          Files.deleteIfExists(file);
          return null;
        });
  }

  private static Optional<Credentials> read(Path file) throws IOException {
    try {
      JsonNode kept = JSON.readTree(Files.readString(file));
      return Optional.of(
          new Credentials(
              AccountId.parse(kept.path("account_id").asText()),
              new DeviceId(kept.path("device_id").asText()),
              new Secret(kept.path("access_token").asText()),
              new Secret(kept.path("refresh_token").asText())));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (JsonProcessingException | RuntimeException damaged) {
      // what the file holds is not repeated: it is secret
      throw new IOException(
          "The sign-in in %s cannot be read (damaged); remove the file to sign in anew."
              .formatted(file),
          damaged);
    } catch (IOException unreadable) {
      throw new IOException(
          "The sign-in in %s cannot be read: %s".formatted(file, FileFault.reason(unreadable)),
          unreadable);
    }
  }

  private static String text(Credentials credentials) {
    return JSON.createObjectNode()
        .put("account_id", credentials.accountId().toString())
        .put("device_id", credentials.deviceId().toString())
        .put("access_token", credentials.accessToken().value())
        .put("refresh_token", credentials.refreshToken().value())
        .toString();
  }
}
