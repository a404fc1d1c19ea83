package io.confab.terminal;

import io.confab.client.Credentials;
import io.confab.protocol.DeviceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Where a sign-in keeps its keys and lines of sealed rooms: a folder for each device that it was,
/// below one that is named as its file is. They stay when the sign-in ends, so that the next one
/// can be the same device.
public final class SealedFolder {
  private static final String SPLIT = "~";
  private static final String NAME = "[0-9a-z]+~[0-9A-Za-z_-]+";

  private final Path folder;

  SealedFolder(Path folder) {
    this.folder = folder;
  }

  /// The folder of a sign-in: in `confab/sealed` below `XDG_DATA_HOME` or `~/.local/share`.
  public static SealedFolder of(Map<String, String> environment, SignInFile signIn) {
    Path all =
        Optional.ofNullable(environment.get("XDG_DATA_HOME"))
            .filter(path -> !path.isEmpty())
            .map(Path::of)
            .orElseGet(() -> Path.of(System.getProperty("user.home"), ".local", "share"))
            .resolve("confab")
            .resolve("sealed");
    List<Path> named = signIn.names().stream().map(all::resolve).toList();
    return new SealedFolder(
        named.stream().filter(Files::isDirectory).findFirst().orElseGet(named::getFirst));
  }

  /// The device whose keys are here; a sign-in that is made anew goes on as it.
  public Optional<DeviceId> device() throws IOException {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> devices = Files.list(folder)) {
      return devices
          .filter(Files::isDirectory)
          .filter(device -> device.getFileName().toString().matches(NAME))
          .max(Comparator.comparing(SealedFolder::changed))
          .map(Path::getFileName)
          .map(name -> name.toString().split(SPLIT, 2)[1])
          .map(DeviceId::new);
    }
  }

  private static FileTime changed(Path device) {
    try {
      return Files.getLastModifiedTime(device);
    } catch (IOException _) {
      return FileTime.fromMillis(0);
    }
  }

  /// The folder of one device.
  Path of(Credentials own) {
    return folder.resolve(
        own.accountId() + SPLIT + own.deviceId().value().replaceAll("[^0-9A-Za-z_-]", "_"));
  }
}
