package io.confab.client.sealed;

/// Why something that came is not believed.
public enum Doubt {
  /// It is not of the shape that the suite gives it.
  MALFORMED,
  /// A key that is none: of the wrong length, or of small order, so that anybody knows what is
  /// agreed with it.
  BAD_KEY,
  /// A signature, or what stands for one, is missing or wrong.
  BAD_SIGNATURE,
  /// The identity of a device or an account is for another one.
  OTHER_OWNER,
  /// A device has other keys than before.
  CHANGED_DEVICE,
  /// An account has another identity than the one that was pinned.
  CHANGED_IDENTITY,
  /// A device has keys of another suite.
  OTHER_SUITE,
  /// The identity of its account did not sign the device.
  UNSIGNED_DEVICE,
  /// It comes from another device than the server says.
  OTHER_SENDER,
  /// It was made for another device.
  OTHER_RECIPIENT,
  /// It was written in another room.
  OTHER_ROOM,
  /// It came before.
  REPLAYED,
  /// It was written before one that came already.
  REORDERED,
  /// No key that is here opens it.
  UNDECRYPTABLE,
  /// Of a comparison by emoji: the two people see others.
  DIFFERENT,
  /// The server says that somebody else is in a room of two: nothing is sealed for it.
  OTHER_MEMBER,
  /// Somebody is told the key of a room later than others were.
  LATER_READER,
  /// Somebody had devices that nothing can be sealed for any more, as all are gone.
  NO_DEVICE
}
