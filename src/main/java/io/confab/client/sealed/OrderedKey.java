package io.confab.client.sealed;

import java.util.Locale;

/// Numbers as they stand in the keys of a store: the keys are in the order of the numbers, and have
/// the same digits whatever the language of the machine is.
final class OrderedKey {
  private OrderedKey() {}

  static String of(long number) {
    return String.format(Locale.ROOT, "%019d", number);
  }
}
