package io.confab.listener;

/// Decides about connections when they are accepted, before anything of them is read. Called by
/// the acceptor's thread; a place is given back by any.
public interface Admission {
  /// Takes a place for a connection, or answers false: then it is closed at once.
  boolean admit(ClientAddress peer);

  /// An admitted connection is over.
  void left(ClientAddress peer);
}
