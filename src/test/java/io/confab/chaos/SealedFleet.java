package io.confab.chaos;

import io.confab.ledger.Entry;
import io.confab.ledger.FinalQueues.Waiting;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/// The devices of a run that talk in sealed rooms, and these rooms: two of two people, and groups
/// up to one with all. An account has one to three of them.
final class SealedFleet implements AutoCloseable {
  private static final int PAIRS = 2;
  private static final int MOST_DEVICES = 3;

  private final RunContext world;
  private final Fleet.Means means;
  private final double perSecond;
  private final SplittableRandom random;
  private final List<Account> accounts = new ArrayList<>();
  private final List<String> pairs = new ArrayList<>();
  private final Map<String, Group> groups = new LinkedHashMap<>();
  private final List<SealedDevice> devices = new CopyOnWriteArrayList<>();
  private final List<SealedDevice> removed = new CopyOnWriteArrayList<>();
  private int made;

  /// @param first the device that stays
  record Account(Person first, List<SealedDevice> others) {}

  /// @param owner somebody without keys, whom nobody throws out
  record Group(String room, Person owner, List<String> accounts) {}

  private SealedFleet(RunContext world, Fleet.Means means, double perSecond, long seed) {
    this.world = world;
    this.means = means;
    this.perSecond = perSecond;
    this.random = new SplittableRandom(seed);
  }

  /// Makes accounts, devices and rooms by a healthy node; nothing is connected yet.
  ///
  /// @param people none: then there are no rooms either
  static SealedFleet make(
      RunContext world, Fleet.Means means, int people, double perSecond, long seed) {
    int count = people * (1 + MOST_DEVICES) / 2;
    SealedFleet fleet = new SealedFleet(world, means, perSecond / Math.max(1, count), seed);
    if (people == 0) {
      return fleet;
    }
    int port = world.machines().getFirst().port();
    for (int i = 0; i < people; i++) {
      fleet.account(port, i);
    }
    for (int i = 0; i < PAIRS; i++) {
      fleet.pair(port, fleet.accounts.get(2 * i), fleet.accounts.get(2 * i + 1));
    }
    for (int size = people; size > 2; size /= 2) {
      fleet.group(port, size);
    }
    return fleet;
  }

  private void account(int port, int number) {
    Person first = ApiClient.person(port, "s" + number, "S" + number);
    begins(first, upload(first.at(port), first));
    Account account = new Account(first, new CopyOnWriteArrayList<>());
    for (int i = 0; i < number % MOST_DEVICES; i++) {
      Person other = first.onAnotherDevice(port);
      account.others().add(begins(other, upload(other.at(port), other)));
    }
    accounts.add(account);
  }

  private static long upload(ApiClient caller, Person person) {
    return caller
        .ok("PUT", "/v1/me/keys", MadeUpSuite.keys(person.deviceId()))
        .getLong("registration_id");
  }

  /// One device more, whose keys are stored; it is not connected yet.
  SealedDevice begins(Person person, long registration) {
    SealedDevice device = device(person, registration);
    world
        .history()
        .add(
            t ->
                new Entry.DeviceBegan(t, device.name(), person.accountId(), device.registration()));
    devices.add(device);
    return device;
  }

  private synchronized SealedDevice device(Person person, long registration) {
    return new SealedDevice(
        person.handle() + "-" + ++made,
        person,
        registration,
        world,
        means,
        random.nextLong(),
        perSecond);
  }

  /// Somebody is about to remove it.
  void ends(SealedDevice device) {
    devices.remove(device);
    removed.add(device);
    world.history().add(t -> new Entry.DeviceEnds(t, device.name(), device.registration()));
    device.ask(SealedDevice::endsSoon);
  }

  private void pair(int port, Account one, Account other) {
    ApiClient caller = one.first().at(port);
    JsonArray members = new JsonArray().add(other.first().accountId());
    pairs.add(sealed(caller, new JsonObject().put("type", "direct").put("members", members)));
  }

  private void group(int port, int size) {
    Person owner = ApiClient.person(port, "sealer" + size, "Sealer");
    List<String> members =
        accounts.subList(0, size).stream().map(each -> each.first().accountId()).toList();
    String room =
        sealed(
            owner.at(port),
            new JsonObject()
                .put("type", "group")
                .put("name", "sealed " + size)
                .put("members", new JsonArray(members)));
    groups.put(room, new Group(room, owner, members));
  }

  private static String sealed(ApiClient caller, JsonObject wanted) {
    String room = caller.ok("POST", "/v1/rooms", wanted).getString("room_id");
    caller.ok(
        "PATCH",
        "/v1/rooms/" + room,
        new JsonObject().put("encryption", new JsonObject().put("suite", "olm1")));
    return room;
  }

  void open() {
    devices.forEach(SealedDevice::open);
  }

  List<Account> accounts() {
    return accounts;
  }

  Collection<Group> groups() {
    return groups.values();
  }

  List<String> rooms() {
    List<String> rooms = new ArrayList<>(pairs);
    rooms.addAll(groups.keySet());
    return rooms;
  }

  boolean allLive() {
    return all(SealedDevice::isLive);
  }

  /// What all devices said that is not acknowledged yet.
  int unsaid() {
    return devices.stream().mapToInt(device -> device.ask(SealedDevice::unsaid)).sum();
  }

  /// Whether every view of these rooms is there, in all that is open.
  boolean have(Map<String, Long> revs) {
    return all(device -> device.have(revs));
  }

  /// Whether each device has its queue as a whole, and the server knows.
  boolean haveAcknowledged(Map<Long, Waiting> queues) {
    Map<Long, Waiting> left = new HashMap<>(queues);
    for (SealedDevice device : devices) {
      Waiting queue = left.remove(device.registration());
      if (queue == null || !queue.isEmpty() || !device.ask(d -> d.hasAcknowledged(queue.last()))) {
        return false;
      }
    }
    return left.isEmpty();
  }

  /// Everybody asks a node what became of the own messages.
  void ask(SealedReads reads, int port) {
    for (int i = 0; i < accounts.size(); i++) {
      Person person = accounts.get(i).first();
      if (i / 2 < PAIRS) {
        reads.ask(person, port, pairs.get(i / 2));
      }
      groups.values().stream()
          .filter(group -> group.accounts().contains(person.accountId()))
          .forEach(group -> reads.ask(person, port, group.room()));
    }
  }

  private boolean all(Predicate<SealedDevice> condition) {
    return devices.stream().allMatch(device -> device.ask(condition::test));
  }

  @Override
  public void close() {
    devices.forEach(SealedDevice::close);
    removed.forEach(SealedDevice::close);
  }
}
