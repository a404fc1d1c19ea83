package io.confab.http;

/// Is told of every answer over HTTP, on the event loop.
public interface Answered {
  /// @param nanos since the head of the request came
  void answered(int status, long nanos);
}
