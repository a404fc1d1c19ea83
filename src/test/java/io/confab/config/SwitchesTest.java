package io.confab.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.confab.protocol.WireName;
import io.confab.testing.Position;
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
  void everySwitchIsTriedInEveryPosition() {
    Set<String> tried =
        tests().stream()
            .flatMap(type -> type.getMethods().stream())
            .filter(SwitchesTest::isMarked)
            .map(JavaMethod::reflect)
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

  /// Without what they depend on, which takes seconds.
  private static JavaClasses tests() {
    return ArchConfiguration.withThreadLocalScope(
        (ArchConfiguration here) -> {
          here.setResolveMissingDependenciesFromClassPath(false);
          return new ClassFileImporter()
              .withImportOption(new ImportOption.OnlyIncludeTests())
              .importPackages("io.confab");
        });
  }

  /// To load all of them takes seconds too.
  private static boolean isMarked(JavaMethod method) {
    return method.isAnnotatedWith(Position.class) || method.isAnnotatedWith(Position.Several.class);
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
