package io.confab.client;

/// The state of a client's connection.
public enum ConnectionState {
  /// A socket is being opened, or has not caught up yet.
  CONNECTING,
  /// Rooms are followed.
  LIVE,
  /// The connection is lost; the next try comes by itself.
  WAITING,
  /// The client will not connect again by itself: closed by the program, displaced, revoked or
  /// signed out. Sends that waited have failed.
  STOPPED
}
