package io.confab.client;

/// How a client stands with its servers.
public enum ConnectionState {
  /// A socket is being opened, or has not caught up yet.
  CONNECTING,
  /// Rooms are followed.
  LIVE,
  /// The connection is lost; the next try comes by itself.
  WAITING,
  /// It will not come back by itself: closed by the program, displaced, revoked or signed out.
  /// Sends that waited have failed.
  STOPPED
}
