package io.confab.chaos;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/// One account in very many rooms of its own, with several sessions, each of which a node compares
/// with the database while Redis is away. It says little; meanwhile it leaves and joins its rooms,
/// or is removed from them, by any node.
final class Crowd implements AutoCloseable {
  private static final int ROOMS = 100;
  private static final int SESSIONS = 6;
  private static final double EACH_PER_SECOND = 0.3;
  private static final long PAUSE_MS = 300;

  private final RunContext world;
  private final List<Device> sessions;
  private final List<String> rooms;
  private final Person owner;
  private final RandomGenerator random;
  private final AnyNode nodes;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread thread;

  private Crowd(
      RunContext world,
      List<Device> sessions,
      List<String> rooms,
      Person owner,
      RandomGenerator random) {
    this.world = world;
    this.sessions = sessions;
    this.rooms = rooms;
    this.owner = owner;
    this.random = random;
    this.nodes = new AnyNode(world, random);
    this.thread = Thread.ofVirtual().name("crowd").unstarted(this::run);
  }

  /// Joins the fleet by a healthy node, before the fleet is opened.
  static Crowd join(RunContext world, Fleet fleet, long seed) {
    int port = world.machines().getFirst().port();
    RandomGenerator random = new SplittableRandom(seed);
    Person person = ApiClient.person(port, "crowd", "Crowd");
    Person owner = ApiClient.person(port, "crowdowner", "Crowd's owner");
    List<String> rooms = new ArrayList<>();
    for (int i = 0; i < ROOMS; i++) {
      String room = owner.at(port).channel("crowd-" + i);
      person.at(port).join(room);
      rooms.add(room);
    }
    List<Device> sessions = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      Person device = i == 0 ? person : person.onAnotherDevice(port);
      sessions.add(fleet.device("crowd" + i, device, random.nextLong(), EACH_PER_SECOND));
    }
    fleet.add(sessions, rooms, owner);
    return new Crowd(world, sessions, rooms, owner, random);
  }

  /// From now on it comes and goes.
  Crowd start() {
    thread.start();
    return this;
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
      world.anomalies().add("the crowd failed: " + bug);
    }
  }

  private void once() {
    String room = "/v1/rooms/" + rooms.get(random.nextInt(rooms.size()));
    Person person = sessions.get(random.nextInt(SESSIONS)).ask(Device::person);
    switch (random.nextInt(4)) {
      case 0 -> nodes.tell(person::at, "DELETE", room + "/members/me", null);
      case 1 -> nodes.tell(owner::at, "DELETE", room + "/members/" + person.accountId(), null);
      default -> nodes.tell(person::at, "POST", room + "/join", null);
    }
  }

  /// It stays where it is.
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
