package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/// The jar that people get, as a command.
final class Jar {
  private static final long SECONDS = 120;

  private Jar() {}

  /// How a command ended, and what it said.
  record Result(int exit, String out, String err) {}

  static Path path() {
    Path jar = Path.of(System.getProperty("confab.jar", "target/confab.jar")).toAbsolutePath();
    assertThat(jar).as("the jar; build it with: mvn package -DskipTests").isRegularFile();
    return jar;
  }

  /// A process that runs the jar on this JDK, with small costs and nothing else of the
  /// environment's configuration.
  static ProcessBuilder command(Map<String, String> variables, List<String> arguments) {
    return command(variables, List.of(), arguments);
  }

  /// @param options for the JVM
  static ProcessBuilder command(
      Map<String, String> variables, List<String> options, List<String> arguments) {
    List<String> program = new ArrayList<>(options);
    program.addAll(List.of("-jar", path().toString()));
    return program(program, variables, arguments);
  }

  /// The same with other classes before those of the jar, and options for the JVM.
  static ProcessBuilder changed(Changed by, Map<String, String> variables, List<String> arguments) {
    List<String> program = new ArrayList<>(by.options());
    program.addAll(manifestOptions());
    program.add("-cp");
    program.add(by.classes() + File.pathSeparator + path());
    program.add("io.confab.Main");
    return program(program, variables, arguments);
  }

  /// @param classes looked at before the jar
  record Changed(Path classes, List<String> options) {}

  /// What `-jar` takes from the manifest by itself.
  private static List<String> manifestOptions() {
    try (JarFile jar = new JarFile(path().toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      List<String> options = new ArrayList<>();
      Map.of("Add-Exports", "--add-exports=", "Add-Opens", "--add-opens=")
          .forEach(
              (name, option) -> {
                for (String what : List.of(manifest.getValue(name).split(" ", -1))) {
                  options.add(option + what + "=ALL-UNNAMED");
                }
              });
      options.add("--enable-native-access=" + manifest.getValue("Enable-Native-Access"));
      return options;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ProcessBuilder program(
      List<String> program, Map<String, String> variables, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
    command.addAll(program);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("CONFAB_"));
    environment.put("CONFAB_ACCOUNTS_ARGON2_MEMORY_KIB", "64");
    environment.put("CONFAB_ACCOUNTS_ARGON2_ITERATIONS", "1");
    environment.put("CONFAB_RATES_SENDS", "10000/s burst 100000"); // one client makes the load
    environment.put("CONFAB_RATES_CHANGES", "10000/s burst 100000");
    environment.putAll(variables);
    return builder;
  }

  /// Runs a command to its end.
  static Result run(String input, List<String> arguments) {
    return run(Map.of(), input, arguments);
  }

  static Result run(Map<String, String> variables, String input, List<String> arguments) {
    try {
      Path out = Files.createTempFile("confab", ".out");
      Path err = Files.createTempFile("confab", ".err");
      Process process =
          command(variables, arguments)
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      try (var stdin = process.getOutputStream()) {
        stdin.write(input.getBytes(StandardCharsets.UTF_8));
      }
      boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
      process.destroyForcibly().waitFor();
      Result result = new Result(process.exitValue(), Files.readString(out), Files.readString(err));
      Files.delete(out);
      Files.delete(err);
      assertThat(ended).as("%s ended in time: %s", arguments, result).isTrue();
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
