package io.confab.chaos;

import io.confab.ledger.FinalMarks;
import io.confab.ledger.FinalPresence;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// All devices of a run, and the rooms in which they talk: each account is in two rooms, every
/// fourth one has a second device.
final class Fleet implements AutoCloseable {
  private static final int SECOND_DEVICE = 4;

  private final Means means;
  private final RunContext world;
  private final List<String> rooms = new ArrayList<>();
  private final List<Device> devices = new ArrayList<>();
  private final List<Device> visitors = new ArrayList<>();
  private final Map<String, Person> owners = new LinkedHashMap<>();
  private final Map<String, List<String>> members = new LinkedHashMap<>();
  private final List<List<Device>> accounts = new ArrayList<>();

  /// What devices connect with.
  ///
  /// @param comeAndGo whether their accounts join and leave rooms meanwhile, or are made to
  record Means(Vertx vertx, WebSocketClient client, boolean comeAndGo) {}

  /// How many there are, and how much they say together.
  ///
  /// @param sealed accounts besides that talk in sealed rooms alone
  record Size(int accounts, int rooms, double perSecond, int sealed) {
    Size(int accounts, int rooms, double perSecond) {
      this(accounts, rooms, perSecond, 0);
    }
  }

  private Fleet(Means means, RunContext world) {
    this.means = means;
    this.world = world;
  }

  /// Makes accounts and rooms by a healthy node; devices are not connected yet.
  ///
  /// @param comeAndGo whether accounts lose rooms and sign-ins meanwhile
  static Fleet make(Vertx vertx, RunContext world, Size size, boolean comeAndGo, long seed) {
    WebSocketClient client =
        vertx.createWebSocketClient(
            new WebSocketClientOptions().setMaxConnections(10_000).setConnectTimeout(2_000));
    Fleet fleet = new Fleet(new Means(vertx, client, comeAndGo), world);
    SplittableRandom random = new SplittableRandom(seed);
    int port = world.machines().getFirst().port();
    List<Person> people = new ArrayList<>();
    for (int i = 0; i < size.accounts(); i++) {
      people.add(ApiClient.person(port, "p" + i, "P" + i));
    }
    people.forEach(person -> world.people().add(person.accountId()));
    for (int r = 0; r < size.rooms(); r++) {
      fleet.room(port, people, r, size.rooms());
    }
    int count = size.accounts() + size.accounts() / SECOND_DEVICE;
    double each = size.perSecond() / count;
    for (int i = 0; i < size.accounts(); i++) {
      List<Device> own = new ArrayList<>();
      own.add(new Device("d" + i, people.get(i), world, fleet.means, random.nextLong(), each));
      if (i % SECOND_DEVICE == 0) {
        Person other = people.get(i).onAnotherDevice(port);
        own.add(new Device("d" + i + "b", other, world, fleet.means, random.nextLong(), each));
      }
      fleet.devices.addAll(own);
      fleet.accounts.add(own);
    }
    return fleet;
  }

  private void room(int port, List<Person> people, int number, int count) {
    Set<Person> members = new LinkedHashSet<>();
    for (int i = 0; i < people.size(); i++) {
      int first = i % count;
      int second = (first + 1 + (i / count) % Math.max(1, count - 1)) % count;
      if (first == number || second == number) {
        members.add(people.get(i));
      }
    }
    Person owner = ApiClient.person(port, "owner" + number, "O" + number);
    String room =
        owner
            .at(port)
            .ok(
                "POST",
                "/v1/rooms",
                new JsonObject().put("type", "channel").put("name", "chaos-" + number))
            .getString("room_id");
    members.forEach(member -> member.at(port).join(room));
    rooms.add(room);
    owners.put(room, owner);
    this.members.put(room, members.stream().map(Person::accountId).toList());
  }

  /// A device that says nothing, of an account that joins and leaves rooms.
  Device guest(String name, Person person, long seed) {
    return device(name, person, seed, 0);
  }

  /// A device of an account that joins and leaves rooms.
  Device device(String name, Person person, long seed, double perSecond) {
    Means comingAndGoing = new Means(means.vertx(), means.client(), true);
    Device device = new Device(name, person, world, comingAndGoing, seed, perSecond);
    visitors.add(device);
    return device;
  }

  /// One account more, with rooms in which nobody else talks.
  void add(List<Device> account, List<String> rooms, Person owner) {
    devices.addAll(account);
    accounts.add(account);
    rooms.forEach(room -> owners.put(room, owner));
  }

  Means means() {
    return means;
  }

  void open() {
    devices.forEach(Device::open);
  }

  /// Those in which many talk.
  List<String> rooms() {
    return rooms;
  }

  Set<String> allRooms() {
    return owners.keySet();
  }

  List<Device> devices() {
    return devices;
  }

  /// The devices of each account.
  List<List<Device>> accounts() {
    return accounts;
  }

  /// Of each room somebody without a device, whom nobody throws out.
  Map<String, Person> owners() {
    return owners;
  }

  /// The accounts that were in the room at first.
  List<String> members(String room) {
    return members.getOrDefault(room, List.of());
  }

  Person owner(String room) {
    Person owner = owners.get(room);
    if (owner == null) {
      throw new IllegalArgumentException(room);
    }
    return owner;
  }

  /// What all devices said that is not acknowledged yet.
  int unsaid() {
    return devices.stream().mapToInt(device -> device.ask(Device::unsaid)).sum();
  }

  /// What all devices that are live know of what was received and read.
  List<FinalMarks.Known> marks() {
    return devices.stream()
        .flatMap(
            device ->
                device.ask(d -> d.isLive() ? d.marks() : List.<FinalMarks.Known>of()).stream())
        .toList();
  }

  /// What all devices that are live, also those that come and go, are and know of each other.
  ///
  /// @param members of each room
  FinalPresence presence(Map<String, Set<String>> members) {
    Map<String, String> statuses = new HashMap<>();
    List<FinalPresence.Known> known = new ArrayList<>();
    List<FinalPresence.Counted> counted = new ArrayList<>();
    Set<Device> all = new LinkedHashSet<>(devices);
    all.addAll(visitors);
    for (Device device : all) {
      device.ask(
          d -> {
            if (d.isLive()) {
              statuses.merge(d.person().accountId(), d.company().status(), Fleet::morePresent);
              known.addAll(d.company().known());
              counted.addAll(d.company().counted());
            }
            return true;
          });
    }
    return new FinalPresence(statuses, members, known, counted);
  }

  private static String morePresent(String one, String other) {
    return one.equals("online") ? one : other;
  }

  boolean allLive() {
    return devices.stream().allMatch(device -> device.ask(Device::isLive));
  }

  /// Whether anybody is connected to the machine's node.
  boolean uses(Machine machine) {
    return devices.stream()
        .anyMatch(device -> device.ask(Device::node).filter(machine.name()::equals).isPresent());
  }

  /// Whether every view of these rooms is there, in all that is open.
  boolean have(Map<String, Long> revs) {
    return devices.stream()
        .allMatch(
            device ->
                device.ask(
                    d ->
                        d.isLive()
                            && d.rooms().stream()
                                .allMatch(room -> d.rev(room) >= revs.getOrDefault(room, 0L))));
  }

  @Override
  public void close() {
    devices.forEach(Device::close);
    means.client().close();
    world.accepting().set(false);
  }
}
