package io.confab.chaos;

import io.confab.simulation.Bug;
import io.confab.simulation.Mutant;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/// The product with all crash points in it, as classes to be looked at before its jar.
///
/// @param archive of loaded classes, so that a node starts quicker; used where it exists
record CrashProgram(Path classes, Path archive) {
  /// @param bug planted besides; may be without an edit
  static CrashProgram of(Bug bug, Path folder) {
    Bug all = bug;
    for (CrashPoint point : CrashPoint.values()) {
      all = point.plantedWith(all);
    }
    try (Mutant mutant = Mutant.with(all)) {
      Path jar = Files.createTempFile(folder, "crash", ".jar");
      write(jar, mutant.folder());
      return new CrashProgram(jar, Path.of(jar + ".jsa"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Without a bug.
  static CrashProgram of(Path folder) {
    return of(new Bug("crash points", "ledger", List.of()), folder);
  }

  private static void write(Path jar, Path classes) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes);
        InputStream halt = Halt.class.getResourceAsStream("Halt.class")) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
      }
      out.putNextEntry(new JarEntry("io/confab/chaos/Halt.class"));
      Objects.requireNonNull(halt).transferTo(out);
    }
  }

  /// For a node that does not die but writes the archive when it ends.
  List<String> archiving() {
    return List.of("-XX:ArchiveClassesAtExit=" + archive, "-XX:+UseSerialGC");
  }

  /// For a node that dies at the pass.
  List<String> dying(CrashPoint point, int pass) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "-D" + Halt.POINT + "=" + point,
                "-D" + Halt.PASS + "=" + pass,
                "-XX:+UseSerialGC"));
    if (Files.isRegularFile(archive)) {
      options.add("-XX:SharedArchiveFile=" + archive);
    }
    return options;
  }
}
