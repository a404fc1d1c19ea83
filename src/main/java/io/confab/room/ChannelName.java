package io.confab.room;

import java.text.Normalizer;
import java.util.Locale;

/// By what names of channels are compared and found: two that look alike in another case or
/// width have the same key (NFKC and case folding; folding through upper case also joins ß and
/// ss).
final class ChannelName {
  private ChannelName() {}

  static String key(String name) {
    String composed = Normalizer.normalize(name, Normalizer.Form.NFKC);
    String folded = composed.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    return Normalizer.normalize(folded, Normalizer.Form.NFKC);
  }
}
