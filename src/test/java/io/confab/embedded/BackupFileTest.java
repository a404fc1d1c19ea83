package io.confab.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BackupFileTest {
  private final Path folder;
  private final Path file;

  BackupFileTest(@TempDir Path folder) {
    this.folder = folder;
    this.file = folder.resolve("backup.zip");
  }

  @BeforeEach
  void write() throws IOException {
    byte[] incompressible = new byte[100_000];
    new Random(7).nextBytes(incompressible);
    try (BackupFile backup = BackupFile.create(file)) {
      backup.folder("a/empty");
      backup.bytes("a/b/random", incompressible);
      assertThat(backup.file("a/gone", folder.resolve("gone"))).isZero();
      assertThat(file).as("before it is whole").doesNotExist();
      assertThat(backup.publish()).isEqualTo(Files.size(file));
    }
  }

  @Test
  void whatWasWrittenComesBackForNobodyElse() throws IOException {
    Path target = Files.createDirectory(folder.resolve("target"));
    BackupFile.unpack(file, target);
    assertThat(target.resolve("a/empty")).isEmptyDirectory();
    assertThat(target.resolve("a/b/random")).hasSize(100_000);
    assertThat(target.resolve("a/gone")).doesNotExist();
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(mode(target.resolve("a/b/random"))).isEqualTo("rw-------");
    assertThat(mode(target.resolve("a/b"))).isEqualTo("rwx------");
    assertThat(folder.resolve("backup.zip.part")).doesNotExist();
  }

  @Test
  void nothingIsWrittenOverAFile() {
    assertThatThrownBy(() -> BackupFile.create(file)).hasMessageContaining("exists already");
  }

  @Test
  void aByteThatChangedIsFound() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[50_000] ^= 1;
    Files.write(file, bytes);
    refused("is not what was written");
  }

  @Test
  void anEndThatIsMissingIsFound() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 100));
    refused("damaged or no backup");
  }

  @Test
  void noArchiveOfSomebodyElseIsTaken() throws IOException {
    try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("SHA256SUMS"));
      zip.write("00  a\n".getBytes(StandardCharsets.UTF_8));
    }
    refused("a is missing");
    try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("SHA256SUMS"));
      zip.putNextEntry(new ZipEntry("../outside"));
    }
    refused("it reaches outside");
    assertThat(folder.resolve("outside")).doesNotExist();
  }

  private void refused(String why) throws IOException {
    Path target = Files.createTempDirectory(folder, "target");
    assertThatThrownBy(() -> BackupFile.unpack(file, target))
        .isInstanceOf(EmbeddedServerException.class)
        .hasMessageContaining(why);
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
