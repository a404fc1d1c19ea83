package io.confab.client.sealedroom;

/// How far this device takes part in sealed rooms.
public enum SealedState {
  /// Its keys are at the server: it sends and reads.
  READY,
  /// The account has an identity that did not sign this device. Nobody seals anything for it until
  /// it is linked.
  NOT_LINKED,
  /// So many devices of the account have keys that the server takes none of another one.
  TOO_MANY_DEVICES,
  /// The server has other keys of this device: it is another device from here on, with another id
  /// and a store of its own.
  OTHER_KEYS,
  /// The server takes no keys of it.
  REFUSED,
  /// What comes and goes cannot be kept on the disk, so nothing does.
  STORE_FAILED
}
