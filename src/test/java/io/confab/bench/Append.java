package io.confab.bench;

import io.confab.message.AppendBench;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// The function that stores messages, over one connection with one call in flight, beside a bare
/// insert of the same rows; and the one that edits them.
final class Append implements Part {
  private static final List<Integer> SIZES = List.of(1, 8, 50, 200);
  private static final double NANOS = 1e9;
  private static final long NANOS_PER_MICRO = 1_000;

  @Override
  public void run(Setting setting) {
    try (AppendBench log = new AppendBench()) {
      List<Cell> cells = new ArrayList<>();
      double seconds = setting.options().seconds();
      for (int rows : SIZES) {
        String stored = "storing %d a call".formatted(rows);
        cells.add(new Calls(Floor.NAME, stored, rows, log::insert, log.pid(), seconds));
        cells.add(new Calls(ConfabNode.NAME, stored, rows, log::append, log.pid(), seconds));
        String edited = "editing %d a call".formatted(rows);
        cells.add(new Calls(ConfabNode.NAME, edited, rows, log::edit, log.pid(), seconds));
      }
      setting.rounds().run(cells);
    }
  }

  /// One call of so many rows.
  interface Call {
    void rows(int count);
  }

  record Calls(String contestant, String name, int rows, Call call, long postgres, double seconds)
      implements Cell {
    @Override
    public Measured measure() {
      Histogram times = new Histogram(3);
      Processes before = Processes.now();
      long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
      while (System.nanoTime() < end) {
        long from = System.nanoTime();
        call.rows(rows);
        times.recordValue((System.nanoTime() - from) / NANOS_PER_MICRO);
      }
      Processes after = Processes.now();
      Load load = Load.between(before, after, List.of(postgres), ProcessHandle.current().pid());
      double all = (double) times.getTotalCount() * rows;
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put(name + ": PostgreSQL, µs each", load.total() / all);
      figures.put(name + ": each second", all * NANOS / (after.nanos() - before.nanos()));
      figures.put(name + ": p50 of a call, ms", Outcome.millis(times, 50));
      figures.put(name + ": p99 of a call, ms", Outcome.millis(times, 99));
      return new Measured(figures, load.foreign(), Optional.empty());
    }
  }
}
