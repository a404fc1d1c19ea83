package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient.Person;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.awaitility.core.ConditionTimeoutException;

/// People with devices who join and leave the fleet's rooms by any node. What becomes of a single
/// call does not matter to them; in the end each must see the rooms that the database says.
final class Guests implements AutoCloseable {
  private static final int PEOPLE = 4;
  private static final long PAUSE_MS = 100;
  private static final Duration KNOWN_WITHIN = Duration.ofSeconds(60);

  private final Stage stage;
  private final Map<Person, Device> guests = new LinkedHashMap<>();
  private final SplittableRandom random;
  private final Object turn = new Object();
  private boolean moving;
  private final Thread thread;

  private Guests(Stage stage, long seed) {
    this.stage = stage;
    this.random = new SplittableRandom(seed);
    int port = stage.world().machines().getFirst().port();
    for (int i = 0; i < PEOPLE; i++) {
      Person person = io.confab.scenario.ApiClient.person(port, "guest" + i, "G" + i);
      guests.put(person, stage.fleet().guest("g" + i, person, random.nextLong()));
    }
    this.thread = Thread.ofVirtual().name("guests").unstarted(this::run);
  }

  /// Connects by healthy nodes; nobody joins anything yet.
  static Guests of(Stage stage, long seed) {
    Guests all = new Guests(stage, seed);
    all.guests.values().forEach(Device::open);
    all.thread.start();
    return all;
  }

  /// From now on they come and go, or stay as they are. Answers when nobody of them has asked for
  /// anything that is not answered.
  void move(boolean on) {
    synchronized (turn) {
      moving = on;
    }
  }

  private void run() {
    try {
      while (!Thread.interrupted()) {
        synchronized (turn) {
          if (moving) {
            once();
          }
        }
        Thread.sleep(PAUSE_MS);
      }
    } catch (InterruptedException ended) {
      // closed
    } catch (RuntimeException | AssertionError bug) {
      if (!Thread.currentThread().isInterrupted()) {
        stage.world().anomalies().add("the guests failed: " + bug);
      }
    }
  }

  private void once() {
    List<Machine> machines = stage.world().machines();
    List<String> rooms = stage.fleet().rooms();
    List<Person> people = new ArrayList<>(guests.keySet());
    int port = machines.get(random.nextInt(machines.size())).door();
    var caller = people.get(random.nextInt(people.size())).at(port);
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

  /// Waits until all see their rooms up to these revs, and nothing else; what does not come in time
  /// is told.
  void check(Map<String, Long> revs) {
    guests.forEach(
        (person, device) -> {
          try {
            await().atMost(KNOWN_WITHIN).until(() -> sees(device, rooms(person), revs));
          } catch (ConditionTimeoutException e) {
            stage
                .world()
                .anomalies()
                .add(
                    device.name()
                        + " shows "
                        + device.ask(Device::rooms)
                        + " and is a member of "
                        + rooms(person));
          }
        });
  }

  private static boolean sees(Device device, Set<String> rooms, Map<String, Long> revs) {
    return device.ask(
        d ->
            d.isLive()
                && rooms.equals(new HashSet<>(d.rooms()))
                && rooms.stream().allMatch(room -> d.rev(room) >= revs.getOrDefault(room, 0L)));
  }

  private Set<String> rooms(Person person) {
    return FinalReads.rooms(stage.servers().postgres().url(), person.accountId());
  }

  List<Device> devices() {
    return List.copyOf(guests.values());
  }

  /// Nobody comes or goes any more, and nobody is connected.
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    guests.values().forEach(Device::close);
  }
}
