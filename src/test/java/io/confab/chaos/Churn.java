package io.confab.chaos;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/// People without devices who join and leave the fleet's rooms over HTTP, by any node, so that the
/// rooms' logs hold more than messages. What becomes of a single call does not matter to them.
final class Churn implements AutoCloseable {
  private static final int PEOPLE = 4;
  private static final long PAUSE_MS = 300;

  private final RunContext world;
  private final List<String> rooms;
  private final List<Person> people = new ArrayList<>();
  private final RandomGenerator random;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread thread;

  private Churn(RunContext world, List<String> rooms, long seed) {
    this.world = world;
    this.rooms = rooms;
    this.random = new SplittableRandom(seed);
    for (int i = 0; i < PEOPLE; i++) {
      people.add(ApiClient.person(world.machines().getFirst().port(), "churn" + i, "C" + i));
    }
    this.thread = Thread.ofVirtual().name("churn").unstarted(this::run);
  }

  /// Begins by a healthy node.
  static Churn start(RunContext world, List<String> rooms, long seed) {
    Churn churn = new Churn(world, rooms, seed);
    churn.thread.start();
    return churn;
  }

  private void run() {
    try {
      while (!closed.get()) {
        once();
        Thread.sleep(PAUSE_MS);
      }
    } catch (InterruptedException ended) {
      // nobody waits for it
    } catch (RuntimeException | AssertionError bug) {
      world.anomalies().add("the churn failed: " + bug);
    }
  }

  private void once() {
    Machine machine = world.machines().get(random.nextInt(world.machines().size()));
    ApiClient caller = people.get(random.nextInt(people.size())).at(machine.door());
    String room = "/v1/rooms/" + rooms.get(random.nextInt(rooms.size()));
    try {
      if (random.nextBoolean()) {
        caller.call("POST", room + "/join", null);
      } else {
        caller.call("DELETE", room + "/members/me", null);
      }
    } catch (UncheckedIOException away) {
      // another node the next time
    }
  }

  @Override
  public void close() {
    closed.set(true);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
