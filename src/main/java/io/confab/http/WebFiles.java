package io.confab.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The files of the web client, which the build puts into the jar with a list of their names. They
/// are read once, and nothing else can be reached: what is asked for is looked up among them.
final class WebFiles {
  /// Names below it are looked up from this class.
  private static final String FOLDER = "web/";

  private static final String LIST = FOLDER + "files.txt";

  /// Of this process, for all event loops.
  private static final class OfTheJar {
    private static final WebFiles FILES = read();
  }

  private final Map<String, WebFile> files;

  private WebFiles(Map<String, WebFile> files) {
    this.files = files;
  }

  static WebFiles ofTheJar() {
    return OfTheJar.FILES;
  }

  private static WebFiles read() {
    byte[] list = bytes(LIST);
    if (list == null) {
      throw new IllegalStateException("The web client is missing here; Maven builds it in.");
    }
    Map<String, WebFile> files = new LinkedHashMap<>();
    new String(list, StandardCharsets.UTF_8)
        .lines()
        .forEach(
            path -> {
              byte[] plain = bytes(FOLDER + path);
              if (plain == null) {
                throw new IllegalStateException("a file of the web client is missing: " + path);
              }
              files.put(path, new WebFile(path, plain, bytes(FOLDER + path + ".gz")));
            });
    return new WebFiles(files);
  }

  private static byte @Nullable [] bytes(String resource) {
    try (InputStream file = WebFiles.class.getResourceAsStream(resource)) {
      return file == null ? null : file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Optional<WebFile> find(String path) {
    return Optional.ofNullable(files.get(path));
  }

  Collection<WebFile> all() {
    return files.values();
  }
}
