package io.confab.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.confab.testing.Patience;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A browser of its own, without a window: Chromium, as the system has it. For one thread.
final class Chromium implements AutoCloseable {
  /// Names another browser of the family.
  static final String VARIABLE = "CONFAB_TEST_BROWSER";

  private static final List<String> PROGRAMS =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  static final double LIMIT_MS = (double) Patience.LIMIT.toMillis();
  static final int WIDTH = 1_280;
  static final int HEIGHT = 800;
  static final int PHONE_WIDTH = 320;
  static final int PHONE_HEIGHT = 640;

  private final Playwright playwright;
  private final Browser browser;

  private Chromium(Playwright playwright, Browser browser) {
    this.playwright = playwright;
    this.browser = browser;
  }

  static Chromium start() {
    Path program = find(System.getenv()).orElseThrow(Chromium::missing);
    PlaywrightAssertions.setDefaultAssertionTimeout(LIMIT_MS);
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Browser browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(program)
                    .setTimeout(LIMIT_MS)
                    // A small /dev/shm, as containers have it, must not end it; this machine
                    // has other names, too, so that not every page is one of loopback.
                    .setArgs(
                        List.of(
                            "--disable-dev-shm-usage",
                            "--host-resolver-rules=MAP *.test 127.0.0.1")));
    return new Chromium(playwright, browser);
  }

  static AssertionError missing() {
    return new AssertionError(
        "These tests need Chromium, and none of "
            + String.join(", ", PROGRAMS)
            + " is on the PATH: apt-get install chromium, or name one in "
            + VARIABLE
            + ".");
  }

  static Optional<Path> find(Map<String, String> environment) {
    String named = environment.getOrDefault(VARIABLE, "");
    Stream<Path> candidates =
        named.isEmpty()
            ? Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> PROGRAMS.stream().map(name -> Path.of(folder, name)))
            : Stream.of(Path.of(named));
    return candidates.filter(Files::isExecutable).findFirst();
  }

  /// What somebody has in this browser who never was at this address before.
  Profile profile(String address) {
    return profile(options(address, WIDTH, HEIGHT));
  }

  /// The same on the narrowest phone that there is.
  Profile phone(String address) {
    return profile(options(address, PHONE_WIDTH, PHONE_HEIGHT).setIsMobile(true).setHasTouch(true));
  }

  /// What is said to a browser that is opened anew; for those who say more.
  static Browser.NewContextOptions options(String address, int width, int height) {
    return new Browser.NewContextOptions()
        .setBaseURL(address)
        .setLocale("en-GB")
        .setTimezoneId("Europe/Berlin")
        .setViewportSize(width, height);
  }

  Profile profile(Browser.NewContextOptions options) {
    return new Profile(browser.newContext(options));
  }

  /// Records its work on a page from now on.
  void record(Page page) {
    browser.startTracing(page, new Browser.StartTracingOptions().setCategories(Trace.CATEGORIES));
  }

  /// What was recorded.
  byte[] recorded() {
    return browser.stopTracing();
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
