package io.confab.client.sealed;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/// Processes of [QueueReader], many one after the other: what the JVM learns of its classes in one
/// that ends by itself the others find in a cache.
///
/// The JVM keeps such a cache of jars alone. They are not compressed, since each process reads the
/// native library from them once for each class of its binding.
final class QueueReaders {
  private static final ToolProvider JAR = ToolProvider.findFirst("jar").orElseThrow();

  private final Path folder;
  private final Path cache;
  private final String classPath;

  /// @param folder where jars and the cache are made
  QueueReaders(Path folder) {
    this.folder = folder;
    cache = folder.resolve("cache");
    classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !entry.isEmpty())
            .map(Path::of)
            .filter(Files::exists)
            .map(this::jar)
            .map(Path::toString)
            .collect(joining(File.pathSeparator));
  }

  private Path jar(Path place) {
    if (Files.isDirectory(place)) {
      return jarOf(place);
    }
    if (!String.valueOf(place.getFileName()).contains("vodozemac-binaries")) {
      return place;
    }
    try {
      Path unpacked = Files.createTempDirectory(folder, "natives");
      tool("--extract", "--file", place.toString(), "--dir", unpacked.toString());
      return jarOf(unpacked);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path jarOf(Path place) {
    try {
      Path jar = Files.createTempFile(folder, "classes", ".jar");
      tool("--create", "--no-compress", "--file", jar.toString(), "-C", place.toString(), ".");
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void tool(String... arguments) {
    if (JAR.run(System.out, System.err, arguments) != 0) {
      throw new IllegalStateException(String.join(" ", arguments));
    }
  }

  /// The first one makes the cache when it has ended.
  Process start(Path store, Talker of) throws IOException {
    String option = Files.exists(cache) ? "-XX:AOTCache=" : "-XX:AOTCacheOutput=";
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xlog:aot*=off",
            "-XX:+DisplayVMOutputToStderr",
            option + cache,
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath,
            QueueReader.class.getName(),
            store.toString(),
            of.account().toString(),
            of.place.deviceId().value()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
