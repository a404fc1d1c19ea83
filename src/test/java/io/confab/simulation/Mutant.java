package io.confab.simulation;

import io.confab.testing.TempFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// The product with a bug in it: the changed sources are compiled into a folder that is looked at
/// before the ordinary classes and resources. Nothing of the product knows of it.
public final class Mutant implements AutoCloseable {
  private static final Path MAIN = Path.of("src", "main");

  private final Path folder;
  private final Loader loader;

  private Mutant(Path folder) {
    this.folder = folder;
    this.loader = new Loader(urls(folder()));
  }

  /// Fails when a snippet does not stand in its file exactly once, and when what comes of it does
  /// not compile.
  public static Mutant with(Bug bug) {
    try {
      Path folder = TempFolders.create("confab-mutant");
      List<String> sources = new ArrayList<>();
      for (Map.Entry<Path, String> file : changed(bug).entrySet()) {
        boolean java = file.getKey().toString().endsWith(".java");
        Path root = MAIN.resolve(java ? "java" : "resources");
        Path target =
            folder.resolve(java ? "sources" : "classes").resolve(root.relativize(file.getKey()));
        Files.createDirectories(target.getParent());
        if (!java) {
          copySiblings(file.getKey(), target);
        }
        Files.writeString(target, file.getValue());
        if (java) {
          sources.add(target.toString());
        }
      }
      if (!sources.isEmpty()) {
        compile(bug, folder.resolve("classes"), sources);
      }
      return new Mutant(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Who asks for a folder of resources gets that of the mutant alone: it has to be whole.
  private static void copySiblings(Path original, Path target) throws IOException {
    try (Stream<Path> files = Files.list(Objects.requireNonNull(original.getParent()))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = target.resolveSibling(file.getFileName());
        if (!Files.exists(copy)) {
          Files.copy(file, copy);
        }
      }
    }
  }

  /// The files of the product that the bug changes, with the bug in them. Fails when a snippet does
  /// not stand in its file exactly once.
  static Map<Path, String> changed(Bug bug) throws IOException {
    Map<Path, String> changed = new LinkedHashMap<>();
    for (Bug.Edit edit : bug.edits()) {
      Path file = MAIN.resolve(edit.file());
      String source = changed.containsKey(file) ? changed.get(file) : Files.readString(file);
      changed.put(file, edited(bug, source, edit));
    }
    return changed;
  }

  private static String edited(Bug bug, String source, Bug.Edit edit) {
    int at = source.indexOf(edit.snippet());
    if (at < 0 || source.indexOf(edit.snippet(), at + 1) >= 0) {
      throw new IllegalStateException(
          bug.name() + ": does not stand once in " + edit.file() + ": " + edit.snippet());
    }
    return source.replace(edit.snippet(), edit.instead());
  }

  private static void compile(Bug bug, Path classes, List<String> sources) throws IOException {
    Files.createDirectories(classes);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-nowarn",
                "-proc:none",
                "-parameters",
                "-d",
                classes.toString(),
                "-cp",
                String.join(
                    System.getProperty("path.separator"),
                    place("io.confab.Node").toString(),
                    System.getProperty("java.class.path"))));
    arguments.addAll(sources);
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    if (code != 0) {
      throw new IllegalStateException(bug.name() + " does not compile");
    }
  }

  /// The folder that goes before the ordinary classes.
  public Path folder() {
    return folder.resolve("classes");
  }

  /// A class of the mutant, or of its tests.
  public Class<?> load(String name) {
    try {
      return loader.loadClass(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  ClassLoader loader() {
    return loader;
  }

  /// What is violated in the history of a seed.
  ///
  /// @param run which method of the simulation makes it
  List<?> violations(String run, long seed) {
    try {
      Object outcome =
          load("io.confab.simulation.Simulation").getMethod(run, long.class).invoke(null, seed);
      return (List<?>) outcome.getClass().getMethod("violations").invoke(outcome);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      loader.close();
      TempFolders.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URL[] urls(Path folder) {
    try {
      return new URL[] {
        folder.toUri().toURL(),
        place("io.confab.simulation.Simulation").toUri().toURL(),
        place("io.confab.Node").toUri().toURL()
      };
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path place(String type) {
    try {
      return Path.of(
          Class.forName(type).getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (ReflectiveOperationException | java.net.URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Looks for what is ours here first: classes of one package must be of one loader.
  private static final class Loader extends URLClassLoader {
    Loader(URL[] urls) {
      super(urls, Mutant.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.confab.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }

    @Override
    public @Nullable URL getResource(String name) {
      URL here = findResource(name);
      return here == null ? super.getResource(name) : here;
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      URL first = getResource(name);
      return first != null && name.startsWith("io/confab/")
          ? Collections.enumeration(List.of(first))
          : super.getResources(name);
    }
  }
}
