package io.confab.bench;

/// A part of the benchmark, which starts what it needs and ends it.
interface Part {
  void run(Setting setting);
}
