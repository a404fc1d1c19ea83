package io.confab.bench;

/// Who is told what came on the driver's connections, on the driver's thread.
interface Ears {
  /// From now on the person gets what is said in its rooms.
  void live(Line line);

  void acked(Line line, int token);

  void received(Line line, int token);

  /// A refusal, or the end of the connection.
  void failed(Line line, String why);
}
