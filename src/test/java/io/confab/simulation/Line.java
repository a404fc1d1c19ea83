package io.confab.simulation;

/// Carries what it is given, later and in its order, until it is cut.
final class Line {
  private final Scheduler scheduler;
  private long last;
  private boolean cut;

  Line(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  void after(long nanos, Runnable arrival) {
    last = Math.max(last, scheduler.nanos() + nanos);
    scheduler.at(
        last,
        () -> {
          if (!cut) {
            arrival.run();
          }
        });
  }

  /// Nothing arrives any more, what is under way neither.
  void cut() {
    cut = true;
  }
}
