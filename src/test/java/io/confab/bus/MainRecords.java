package io.confab.bus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The records of the main code, found among its compiled classes.
final class MainRecords {
  private static final String ENDING = ".class";

  private static final List<Class<?>> ALL = all();

  private MainRecords() {}

  static List<Class<?>> assignableTo(Class<?> kind) {
    return ALL.stream().filter(kind::isAssignableFrom).toList();
  }

  private static List<Class<?>> all() {
    Path root = root();
    try (Stream<Path> files = Files.walk(root.resolve("io/confab"))) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(file -> file.endsWith(ENDING) && !file.endsWith("-info.class"))
          .<Class<?>>map(MainRecords::load)
          .filter(Class::isRecord)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path root() {
    try {
      return Path.of(Command.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Class<?> load(String file) {
    String name = file.substring(0, file.length() - ENDING.length()).replace('/', '.');
    try {
      return Class.forName(name, false, MainRecords.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new LinkageError("compiled, but not on the class path: " + name, e);
    }
  }
}
