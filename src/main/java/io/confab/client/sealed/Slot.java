package io.confab.client.sealed;

/// Where a value lies in the file of a store.
record Slot(long offset, int length) {}
