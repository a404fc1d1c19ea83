/// The web client in a real browser, as people use it: [io.confab.browser.Chromium] is the
/// browser, [io.confab.browser.Profile] what one person has in it, [io.confab.browser.ChatPage] a
/// tab. Things are found by their roles and names, as a screen reader finds them.
///
/// These tests need Chromium of the system and have the tag `full`.
@NullMarked
package io.confab.browser;

import org.jspecify.annotations.NullMarked;
