package io.confab.account;

import io.confab.protocol.DeviceId;

/// A device as it is stored.
record Device(DeviceId id, String name, String platform) {}
