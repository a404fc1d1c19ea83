package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.client.Credentials;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Secret;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
@Timeout(240)
class SignInFileIT {
  private static final URI ONE = URI.create("http://one:8080");
  private static final URI TWO = URI.create("http://two:8080");
  private static final Credentials KEPT =
      new Credentials(
          new AccountId(7), new DeviceId("d"), new Secret("access"), new Secret("refresh"));

  private final Vertx vertx;
  private final Path folder;

  SignInFileIT(Vertx vertx, @TempDir Path folder) {
    this.vertx = vertx;
    this.folder = folder;
  }

  private SignInFile file(List<URI> servers, String handle, String device) {
    return SignInFile.in(folder.resolve("confab"), vertx, servers, handle, device);
  }

  @Test
  void whatIsSavedIsFoundByItsServerHandleAndDeviceAlone() {
    file(List.of(ONE, TWO), "ada", "terminal").save(KEPT).await();

    assertThat(file(List.of(ONE), "ada", "terminal").load().await()).contains(KEPT);
    assertThat(file(List.of(TWO, ONE), "Ada", "terminal").load().await()).contains(KEPT);
    assertThat(file(List.of(TWO), "ada", "terminal").load().await()).isEmpty();
    assertThat(file(List.of(ONE), "ben", "terminal").load().await()).isEmpty();
    assertThat(file(List.of(ONE), "ada", "laptop").load().await()).isEmpty();
  }

  @Test
  void whatLooksTheSameIsKeptApart() {
    file(List.of(ONE), "alice_x", "terminal").save(KEPT).await();
    file(List.of(ONE), "alice", "my pc").save(KEPT).await();
    file(List.of(ONE), "alice", "d".repeat(300) + "1").save(KEPT).await();

    assertThat(file(List.of(ONE), "alice", "x_terminal").load().await()).isEmpty();
    assertThat(file(List.of(ONE), "alice", "my-pc").load().await()).isEmpty();
    assertThat(file(List.of(ONE), "alice", "my PC").load().await()).isEmpty();
    assertThat(file(List.of(ONE), "alice", "d".repeat(300) + "2").load().await()).isEmpty();
    assertThat(file(List.of(URI.create("https://one:8080")), "alice_x", "terminal").load().await())
        .isEmpty();
    assertThat(file(List.of(URI.create("http://ONE:8080")), "alice_x", "terminal").load().await())
        .contains(KEPT);
  }

  @Test
  void onlyTheOwnerCanReadItAlsoAfterTheNextSave() throws IOException {
    SignInFile file = file(List.of(ONE), "ada", "../../terminal");
    file.save(KEPT).await();
    file.save(KEPT).await();

    assertThat(file.file()).hasParent(folder.resolve("confab"));
    assertThat(permissions(file.file())).isEqualTo("rw-------");
    assertThat(permissions(folder.resolve("confab"))).isEqualTo("rwx------");
    assertThat(folder.resolve("confab").toFile().list()).hasSize(1);
    file.clear().await();
    assertThat(file.load().await()).isEmpty();
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aFileThatCannotBeReadIsNamedAndWhatItHoldsIsNot() throws IOException {
    SignInFile file = file(List.of(ONE), "ada", "terminal");
    file.save(KEPT).await();
    for (String broken : List.of("", "{\"refresh_token\":\"secret\"", "[]", "{\"account_id\":7}")) {
      Files.writeString(file.file(), broken);

      assertThatThrownBy(() -> file.load().await())
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("The sign-in in " + file.file() + " cannot be read (damaged)")
          .hasMessageEndingWith("; remove the file to sign in anew.")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void aSignInThatCannotBeKeptIsToldWithItsFile() throws IOException {
    Files.writeString(folder.resolve("confab"), "a file where the folder should be");

    SignInFile file = file(List.of(ONE), "ada", "terminal");

    assertThatThrownBy(() -> file.save(KEPT).await())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("The sign-in cannot be kept in " + file.file() + ": ")
        .hasMessageNotContaining("Exception");
  }

  @Test
  void theFolderFollowsTheDesktopsRule() {
    assertThat(SignInFile.folder(Map.of("XDG_CONFIG_HOME", "/config")))
        .isEqualTo(Path.of("/config/confab/sign-ins"));
    assertThat(SignInFile.folder(Map.of("XDG_CONFIG_HOME", "")))
        .isEqualTo(Path.of(System.getProperty("user.home"), ".config", "confab", "sign-ins"));
  }
}
