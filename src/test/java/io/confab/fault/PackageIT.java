package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The Debian package and the unit, as far as they can be tried without root;
/// `scripts/lib/try-deb` is for the rest.
@Tag("full")
@Tag("packages")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class PackageIT {
  private static final Duration SOON = Duration.ofMinutes(3);

  /// A type in a descriptor or a signature.
  private static final Pattern TYPE = Pattern.compile("L([\\w/]+)/[\\w$]+[;<]");

  private final Path folder;

  PackageIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void thePackageCarriesANodeThatRunsOnItsOwnRuntime() throws Exception {
    run(List.of("scripts/deb"));
    Path deb;
    try (var made = Files.newDirectoryStream(Path.of("target"), "confab_*.deb")) {
      deb = made.iterator().next();
    }
    assertThat(run(List.of("dpkg-deb", "--info", deb.toString())))
        .contains("Package: confab", "conffiles", "postinst");
    assertThat(run(List.of("dpkg-deb", "--contents", deb.toString())).lines())
        .allMatch(line -> line.contains(" root/root "))
        .anyMatch(line -> line.endsWith("./usr/lib/systemd/system/confab.service"))
        .anyMatch(line -> line.endsWith("./usr/share/doc/confab/copyright"))
        .anyMatch(line -> line.startsWith("-rwxr-xr-x") && line.endsWith("./usr/bin/confab"));
    run(List.of("dpkg-deb", "--extract", deb.toString(), folder.toString()));
    Path lib = folder.resolve("usr/lib/confab");
    Path output = folder.resolve("output");
    ProcessBuilder serve =
        new ProcessBuilder(
            lib.resolve("runtime/bin/java").toString(),
            "-jar",
            lib.resolve("confab.jar").toString(),
            "serve",
            "--port=0",
            "--management-port=0",
            "--data-dir=" + folder.resolve("data"));
    serve.environment().keySet().retainAll(Set.of("PATH"));
    Process node = serve.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      await().atMost(SOON).until(() -> Files.readString(output).contains("Confab is ready"));
      node.destroy();
      assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(node.exitValue()).isEqualTo(143);
      assertThat(Files.readString(output)).doesNotContain("WARNING", "ERROR", "ClassNotFound");
    } finally {
      node.destroyForcibly();
    }
  }

  @Test
  void theRuntimeHasEveryModuleThatTheJarNeeds() throws Exception {
    Map<String, String> modules = new HashMap<>();
    for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
      module.descriptor().packages().forEach(p -> modules.put(p, module.descriptor().name()));
    }
    Set<String> needed = new TreeSet<>();
    for (String referred : packagesReferredTo()) {
      Optional.ofNullable(modules.get(referred)).ifPresent(needed::add);
    }
    String script = Files.readString(Path.of("scripts/install"));
    String line = script.lines().filter(l -> l.startsWith("readonly MODULES=")).toList().getFirst();
    List<String> named = List.of(line.substring(line.indexOf('=') + 1).split(",", -1));
    Set<String> linked =
        Configuration.empty()
            .resolve(ModuleFinder.ofSystem(), ModuleFinder.of(), named)
            .modules()
            .stream()
            .map(ResolvedModule::name)
            .collect(Collectors.toSet());
    assertThat(needed).contains("java.base", "java.net.http", "java.sql").isSubsetOf(linked);
  }

  /// Of all types that a class of the jar names, in code or in signatures. `jdeps` says the same,
  /// but its time grows with the square of the classes in a jar.
  private static Set<String> packagesReferredTo() throws IOException {
    Set<String> referred = new HashSet<>();
    try (JarFile jar = new JarFile(Jar.path().toFile())) {
      for (JarEntry entry : jar.stream().toList()) {
        if (entry.getName().endsWith(".class")) {
          byte[] bytes = jar.getInputStream(entry).readAllBytes();
          for (PoolEntry constant : ClassFile.of().parse(bytes).constantPool()) {
            if (constant instanceof ClassEntry type) {
              referred.add(type.asSymbol().packageName());
            } else if (constant instanceof Utf8Entry text) {
              TYPE.matcher(text.stringValue())
                  .results()
                  .forEach(type -> referred.add(type.group(1).replace('/', '.')));
            }
          }
        }
      }
    }
    return referred;
  }

  @Test
  void theUnitIsValidAndHardened() throws Exception {
    Path unit = folder.resolve("confab.service");
    Files.copy(Path.of("conf/confab.service"), unit, StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(unit, Files.readString(unit).replace("/usr/bin/confab", "/bin/true"));
    assertThat(run(List.of("systemd-analyze", "verify", unit.toString())).lines())
        .as("what is said of this unit; those of the machine are its own matter")
        .noneMatch(line -> line.contains("confab.service"));
    run(
        List.of(
            "systemd-analyze", "security", "--offline=true", "--threshold=20", unit.toString()));
  }

  /// What a program prints; it must succeed.
  private static String run(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(Map.of("JAVA_HOME", System.getProperty("java.home")));
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
    return output;
  }
}
