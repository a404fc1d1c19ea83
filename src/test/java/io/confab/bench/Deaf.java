package io.confab.bench;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// For a time in which nobody speaks: what is heard does not matter, the end of a connection does.
final class Deaf implements Ears {
  private volatile @Nullable String fault;

  @Override
  public void live(Line line) {}

  @Override
  public void acked(Line line, int token) {}

  @Override
  public void received(Line line, int token) {}

  @Override
  public void failed(Line line, String why) {
    fault = "person " + line.person() + ": " + why;
  }

  /// The last failure.
  Optional<String> fault() {
    return Optional.ofNullable(fault);
  }
}
