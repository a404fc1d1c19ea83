package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.testing.Patience;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@ExtendWith(VertxExtension.class)
class WindowDeviceTest {
  private static final URI SERVER = URI.create("http://one:8080");

  private final Vertx vertx;
  private final Path folder;

  WindowDeviceTest(Vertx vertx, @TempDir Path folder) {
    this.vertx = vertx;
    this.folder = folder;
  }

  private WindowDevice take(String handle) throws IOException {
    return WindowDevice.take(null, name -> file(handle, name));
  }

  private SignInFile file(String handle, String device) {
    return SignInFile.in(folder, vertx, List.of(SERVER), handle, device);
  }

  @Test
  void eachWindowTakesTheFirstDeviceThatIsFree() throws IOException {
    WindowDevice first = take("ada");
    try (WindowDevice second = take("ada");
        WindowDevice _ = take("ben")) {
      assertThat(second.name()).isEqualTo("terminal-2");
      first.close();
      try (WindowDevice again = take("ada");
          WindowDevice third = take("ada")) {
        assertThat(again.name()).isEqualTo("terminal-1");
        assertThat(third.name()).isEqualTo("terminal-3");
      }
    }
  }

  @Test
  void whatHoldsADeviceIsItsOwnersAlone() throws IOException {
    try (WindowDevice ada = take("ada");
        Stream<Path> beside = Files.list(ada.signIn().file().getParent())) {
      assertThat(beside.toList())
          .isNotEmpty()
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .isEqualTo("rw-------"));
      assertThat(Files.getPosixFilePermissions(ada.signIn().file().getParent()))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void otherAccountsCountForThemselves() throws IOException {
    try (WindowDevice ada = take("ada");
        WindowDevice ben = take("ben")) {
      assertThat(List.of(ada.name(), ben.name())).containsOnly(WindowDevice.FIRST);
    }
  }

  @Test
  void aDeviceThatIsAskedForIsRefusedWhileItIsInUse() throws IOException {
    try (WindowDevice _ = WindowDevice.take("desk", name -> file("ada", name))) {
      assertThatThrownBy(() -> WindowDevice.take("desk", name -> file("ada", name)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Another window uses the device desk");
    }
    WindowDevice.take("desk", name -> file("ada", name)).close();
  }

  /// Takes a window in a process of its own, says which, and waits for its end.
  static final class Holder {
    public static void main(String[] folder) throws IOException {
      Vertx vertx = Vertx.vertx();
      WindowDevice window =
          WindowDevice.take(
              null, name -> SignInFile.in(Path.of(folder[0]), vertx, List.of(SERVER), "ada", name));
      System.out.println(window.name());
      System.in.read();
    }
  }

  @Test
  void aWindowThatIsKilledGivesItsDeviceBack() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(other.inputReader().readLine()).isEqualTo("terminal-1");
      try (WindowDevice mine = take("ada")) {
        assertThat(mine.name()).isEqualTo("terminal-2");
      }
    } finally {
      other.destroyForcibly();
    }
    assertThat(other.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    try (WindowDevice mine = take("ada")) {
      assertThat(mine.name()).isEqualTo("terminal-1");
    }
  }
}
