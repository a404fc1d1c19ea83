package io.confab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The people of a layout, each with a connection that is live.
final class Crowd implements AutoCloseable {
  private static final int SECONDS = 180;

  private final Driver driver;
  private final Layout layout;
  private final List<Line> lines;

  private Crowd(Driver driver, Layout layout, List<Line> lines) {
    this.driver = driver;
    this.layout = layout;
    this.lines = lines;
  }

  /// Connects all and waits until they are live.
  ///
  /// @param atOnce how many are on their way to that at a time
  /// @param ears who hears what comes after one is live
  static Crowd open(
      Driver driver, Contestant to, Layout layout, List<Speech> people, int atOnce, Ears ears) {
    Gathering gathering = new Gathering(driver, to.port(), ears);
    List<Line> lines = new ArrayList<>();
    for (int person = 0; person < layout.people(); person++) {
      lines.add(new Line(person, to.framing(), people.get(person), gathering));
    }
    Crowd crowd = new Crowd(driver, layout, lines);
    try {
      driver.loop().execute(() -> gathering.begin(lines, atOnce));
      gathering.all.get(SECONDS, TimeUnit.SECONDS);
      return crowd;
    } catch (ExecutionException | TimeoutException e) {
      crowd.close();
      throw new IllegalStateException(
          "%s: %d of %d are live: %s".formatted(to.name(), gathering.live, lines.size(), e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// Waits for all to be live.
  private static final class Gathering implements Ears {
    private final Driver driver;
    private final int port;
    private final Ears then;
    private final CompletableFuture<Void> all = new CompletableFuture<>();
    private List<Line> lines = List.of();
    private int begun;
    private int live;

    Gathering(Driver driver, int port, Ears then) {
      this.driver = driver;
      this.port = port;
      this.then = then;
    }

    void begin(List<Line> these, int atOnce) {
      lines = these;
      while (begun < Math.min(atOnce, lines.size())) {
        next();
      }
    }

    private void next() {
      if (begun < lines.size()) {
        driver.connect(port, lines.get(begun++));
      }
    }

    @Override
    public void live(Line line) {
      line.tell(then);
      then.live(line);
      next();
      if (++live == lines.size()) {
        all.complete(null);
      }
    }

    @Override
    public void acked(Line line, int token) {
      then.acked(line, token);
    }

    @Override
    public void received(Line line, int token) {
      then.received(line, token);
    }

    @Override
    public void failed(Line line, String why) {
      all.completeExceptionally(new IllegalStateException("person " + line.person() + ": " + why));
    }
  }

  Driver driver() {
    return driver;
  }

  Layout layout() {
    return layout;
  }

  Line line(int person) {
    return lines.get(person);
  }

  void tell(Ears ears) {
    driver.ask(
        () -> {
          lines.forEach(line -> line.tell(ears));
          return true;
        });
  }

  @Override
  public void close() {
    driver.ask(
        () -> {
          lines.forEach(Line::close);
          return true;
        });
  }
}
