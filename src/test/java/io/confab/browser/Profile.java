package io.confab.browser;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import java.util.ArrayList;
import java.util.List;

/// One person's profile of a browser: a sign-in, a store, and any number of tabs. It remembers what
/// browsers tell developers alone.
final class Profile implements AutoCloseable {
  /// Reports every violation of the page's policy, in pages to come.
  private static final String REPORTER =
      "addEventListener('securitypolicyviolation', e =>"
          + " console.error('csp: ' + e.effectiveDirective + ' ' + e.blockedURI))";

  private final BrowserContext context;
  private final List<String> faults = new ArrayList<>();
  private final Evidence evidence;

  Profile(BrowserContext context) {
    this.context = context;
    evidence = new Evidence(context);
    EvidenceOfFailures.note(evidence);
    context.setDefaultTimeout(Chromium.LIMIT_MS);
    context.addInitScript(REPORTER);
    context.onConsoleMessage(
        message -> {
          String text = message.text();
          if (text.startsWith("csp: ") || text.contains("Content Security Policy")) {
            faults.add(text);
          }
        });
    context.onWebError(error -> faults.add(error.error()));
    context.onDialog(
        dialog -> {
          faults.add("a dialog of the browser: " + dialog.message());
          dialog.dismiss();
        });
  }

  /// What must never happen: errors that nobody caught, violations of the policy, dialogs.
  List<String> faults() {
    return List.copyOf(faults);
  }

  /// A tab with the address that is open there.
  ///
  /// @param path such as `/`, or `/#/rooms/…`
  ChatPage open(String path) {
    ChatPage page = new ChatPage(context.newPage());
    page.page().navigate(path);
    return page;
  }

  /// Takes the network away from all tabs, or gives it back.
  void offline(boolean without) {
    context.setOffline(without);
  }

  Evidence evidence() {
    return evidence;
  }

  BrowserContext context() {
    return context;
  }

  List<Page> pages() {
    return context.pages();
  }

  @Override
  public void close() {
    evidence.close();
    context.close();
  }
}
