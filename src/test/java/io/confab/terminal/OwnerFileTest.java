package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerFileTest {
  private final Path folder;

  OwnerFileTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void foldersThatItMakesAreForTheOwnerAlone() throws IOException {
    Path file = folder.resolve("a/b/secret");
    OwnerFile.write(file, "text");

    assertThat(file).hasContent("text");
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(mode(folder.resolve("a/b"))).isEqualTo("rwx------");
    assertThat(mode(folder.resolve("a"))).isEqualTo("rwx------");
  }

  @Test
  void aFolderThatIsThereKeepsItsModeAndTheFileIsForTheOwnerAlone() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    OwnerFile.write(folder.resolve("secret"), "text");
    OwnerFile.touch(folder.resolve("empty"));

    assertThat(mode(folder)).isEqualTo("rwxr-xr-x");
    assertThat(mode(folder.resolve("secret"))).isEqualTo("rw-------");
    assertThat(mode(folder.resolve("empty"))).isEqualTo("rw-------");
  }
}
