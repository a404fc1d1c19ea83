package io.confab.queue;

import io.confab.protocol.Caller;

/// Who wakes devices that sleep.
public interface Wakes {
  /// Something waits for the device, and it does not come for it.
  void wake(Caller device);
}
