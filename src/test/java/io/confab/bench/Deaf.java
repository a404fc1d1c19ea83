package io.confab.bench;

/// For a time in which nobody speaks: what is heard does not matter, the end of a connection does.
final class Deaf implements Ears {
  @Override
  public void live(Line line) {}

  @Override
  public void acked(Line line, int token) {}

  @Override
  public void received(Line line, int token) {}

  @Override
  public void failed(Line line, String why) {
    throw new IllegalStateException("person " + line.person() + ": " + why);
  }
}
