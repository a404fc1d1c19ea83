package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.Credentials;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SealedFolderTest {
  private final SealedFolder folder;

  SealedFolderTest(@TempDir Path temporary) {
    this.folder = new SealedFolder(temporary.resolve("terminal-1"));
  }

  private static Credentials own(String device) {
    return new Credentials(
        new AccountId(7), new DeviceId(device), new Secret("a"), new Secret("r"));
  }

  private Path make(String device, long changed) throws IOException {
    Path made = Files.createDirectories(folder.of(own(device)));
    return Files.setLastModifiedTime(made, FileTime.fromMillis(changed));
  }

  @Test
  void theNextSignInGoesOnAsTheLastDevice() throws IOException {
    assertThat(folder.device()).isEmpty();

    make("one", 2_000);
    make("two", 3_000);
    make("zero", 1_000);
    assertThat(folder.device()).contains(new DeviceId("two"));
  }

  @Test
  void anyIdHasAFolderOfItsOwnBelow() {
    assertThat(folder.of(own("../../x"))).hasParentRaw(folder.of(own("x")).getParent());
  }
}
