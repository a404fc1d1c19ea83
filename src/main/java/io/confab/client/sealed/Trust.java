package io.confab.client.sealed;

/// How far the person has come with the identity of somebody.
public enum Trust {
  /// None is known.
  NONE,
  /// It is the first that was seen, or its change was accepted.
  PINNED,
  /// It was compared.
  VERIFIED,
  /// The server tells of another one; nothing is sealed for it before that is accepted.
  CHANGED
}
