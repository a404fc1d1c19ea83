package io.confab.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is left to look at of a browser that is closed already.
@Tag("full")
@Timeout(300)
class EvidenceBrowserIT {
  private final Path folder;

  EvidenceBrowserIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void picturesConsolesAndWhatWasAskedInVainAreThere() throws IOException {
    Evidence evidence;
    try (Chromium chromium = Chromium.start();
        Profile profile = chromium.profile("http://localhost:1")) {
      evidence = profile.evidence();
      ChatPage page = new ChatPage(profile.context().newPage());
      page.page().navigate("data:text/html,<h1>Here</h1>");
      page.page()
          .evaluate("() => fetch('http://localhost:1/nobody').catch(() => console.warn('alas'))");
    }
    evidence.write(folder, "one");

    assertThat(Files.size(folder.resolve("one-tab-1.jpeg"))).isPositive();
    assertThat(folder.resolve("one.log"))
        .content()
        .contains("console warning", "alas")
        .contains("failed: GET http://localhost:1/nobody")
        .contains("open: data:text/html,<h1>Here</h1>");
  }
}
