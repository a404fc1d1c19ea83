package io.confab.browser;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.options.ScreenshotType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What one profile showed and told: its tabs as pictures, its consoles, and what was asked of
/// servers in vain. [EvidenceOfFailures] writes it where a test failed.
final class Evidence {
  private static final int MOST_LINES = 2_000;
  private static final double PICTURE_MS = 5_000;

  private final BrowserContext context;
  private final Instant start = Instant.now();
  private final Deque<String> lines = new ArrayDeque<>();
  private List<byte[]> last = List.of();
  private boolean closed;

  Evidence(BrowserContext context) {
    this.context = context;
    context.onConsoleMessage(
        message -> note("console " + message.type(), message.page().url() + " " + message.text()));
    context.onWebError(error -> note("error", error.error()));
    context.onRequestFailed(
        request ->
            note("failed", request.method() + " " + request.url() + " " + request.failure()));
    context.onResponse(
        response -> {
          if (response.status() >= 400) {
            note(
                "refused",
                response.request().method() + " " + response.url() + " " + response.status());
          }
        });
  }

  private void note(String kind, String text) {
    if (lines.size() == MOST_LINES) {
      lines.removeFirst();
    }
    lines.addLast("%9s %s: %s".formatted(Duration.between(start, Instant.now()), kind, text));
  }

  /// The profile is about to be closed, and nobody knows yet whether the test goes well.
  void close() {
    last = pictures();
    closed = true;
  }

  private List<byte[]> pictures() {
    List<byte[]> pictures = new ArrayList<>();
    for (Page page : context.pages()) {
      note("open", page.url());
      try {
        pictures.add(
            page.screenshot(
                new Page.ScreenshotOptions().setType(ScreenshotType.JPEG).setTimeout(PICTURE_MS)));
      } catch (PlaywrightException unable) {
        note("no picture", unable.toString());
      }
    }
    return pictures;
  }

  boolean isClosed() {
    return closed;
  }

  /// Writes all of it into a folder.
  ///
  /// @param name of this profile there
  void write(Path folder, String name) {
    Map<Path, byte[]> files = new LinkedHashMap<>();
    for (byte[] picture : closed ? last : pictures()) {
      files.put(folder.resolve(name + "-tab-" + (files.size() + 1) + ".jpeg"), picture);
    }
    try {
      Files.createDirectories(folder);
      for (Map.Entry<Path, byte[]> file : files.entrySet()) {
        Files.write(file.getKey(), file.getValue());
      }
      Files.write(folder.resolve(name + ".log"), lines);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
