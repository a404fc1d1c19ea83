package io.confab.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.WireName;
import io.confab.testing.Position;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SwitchesTest {
  @Test
  void everySwitchIsTriedInEveryPosition() throws IOException, URISyntaxException {
    Set<String> tried =
        marked()
            .flatMap(method -> Arrays.stream(method.getAnnotationsByType(Position.class)))
            .map(Position::value)
            .collect(Collectors.toSet());

    assertThat(tried)
        .containsExactlyInAnyOrderElementsOf(
            new ConfigKeys()
                .all()
                .flatMap(key -> positions(key).map(position -> key.path() + ": " + position))
                .toList());
  }

  /// The methods of tests that are marked. To load all classes takes seconds: only those are that
  /// name the mark.
  private static Stream<Method> marked() throws IOException, URISyntaxException {
    Path classes =
        Path.of(Position.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .filter(file -> file.toString().endsWith(".class") && namesTheMark(file))
          .map(file -> classes.relativize(file).toString().replace('/', '.'))
          .toList()
          .stream()
          .flatMap(name -> Arrays.stream(load(name).getDeclaredMethods()));
    }
  }

  private static boolean namesTheMark(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
          .contains(Position.class.getName().replace('.', '/'));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> load(String file) {
    try {
      String name = file.substring(0, file.length() - ".class".length());
      return Class.forName(name, false, SwitchesTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /// What a key with few values can be set to; nothing for one with many.
  private static Stream<String> positions(ConfigKey key) {
    return switch (key.type()) {
      case SWITCH -> Stream.of("true", "false");
      case TLS_MODE -> WireName.constants(TlsMode.class).map(WireName::wire);
      case ROLES -> WireName.constants(NodeRole.class).map(WireName::wire);
      case TEXT -> choices(key.form());
      case OPTIONAL_TEXT, SECRET, FOLDER, FILE, NUMBER, DURATION, RATE, TEXTS, ISSUERS ->
          Stream.empty();
    };
  }

  private static Stream<String> choices(@Nullable Form form) {
    return form != null && form.value().matches("[a-z-]+(\\|[a-z-]+)+")
        ? Arrays.stream(form.value().split("\\|"))
        : Stream.empty();
  }
}
