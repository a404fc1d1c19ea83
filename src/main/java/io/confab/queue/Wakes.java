package io.confab.queue;

import io.confab.protocol.Caller;

/// Who wakes devices that sleep.
public interface Wakes {
  /// Something waits for the device, and it does not come for it. Called once from when its queue
  /// begins to wait until it does no more; where a node dies or loses its database at this moment,
  /// or this throws, by another node or later once more: rather twice than not at all.
  void wake(Caller device);
}
