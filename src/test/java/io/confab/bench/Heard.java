package io.confab.bench;

import java.util.ArrayList;
import java.util.List;

/// Writes down what it is told.
final class Heard implements Ears {
  private final List<String> all = new ArrayList<>();

  List<String> all() {
    return all;
  }

  @Override
  public void live(Line line) {
    all.add("live");
  }

  @Override
  public void acked(Line line, int token) {
    all.add("acked " + token);
  }

  @Override
  public void received(Line line, int token) {
    all.add("received " + token);
  }

  @Override
  public void failed(Line line, String why) {
    all.add("failed " + why);
  }
}
