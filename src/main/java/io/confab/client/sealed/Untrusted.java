package io.confab.client.sealed;

/// Something that came is not believed; expected, so it has no stack.
final class Untrusted extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Doubt doubt;

  Untrusted(Doubt doubt) {
    super(doubt.name(), null, false, false);
    this.doubt = doubt;
  }

  Doubt doubt() {
    return doubt;
  }
}
