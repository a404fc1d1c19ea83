package io.confab.chaos;

import io.confab.chaos.AnyNode.Said;
import io.confab.chaos.SealedFleet.Account;
import io.confab.chaos.SealedFleet.Group;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/// Devices of sealed rooms that are added and removed, some of them under the id that they had, and
/// members of groups that are thrown out and let in again, all by any node.
final class SealedChurn implements AutoCloseable {
  private static final int LEAST_PAUSE_MS = 200;
  private static final int MOST_PAUSE_MS = 1_500;
  private static final int MOST_AWAY = 2;
  private static final int MOST_OTHERS = 2;

  /// A call to a node that stands still takes up to a minute.
  private static final int WORKERS = 6;

  private final RunContext world;
  private final SealedFleet fleet;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();

  /// Does one thing, until it is done.
  private interface Step {
    void run() throws InterruptedException;
  }

  private SealedChurn(RunContext world, SealedFleet fleet) {
    this.world = world;
    this.fleet = fleet;
  }

  static SealedChurn start(RunContext world, SealedFleet fleet, long seed) {
    SealedChurn all = new SealedChurn(world, fleet);
    SplittableRandom random = new SplittableRandom(seed);
    List<Account> accounts = fleet.accounts();
    for (int i = 0; i < Math.min(WORKERS, accounts.size()); i++) {
      List<Account> own = new ArrayList<>();
      for (int a = i; a < accounts.size(); a += WORKERS) {
        own.add(accounts.get(a));
      }
      DeviceChanges changes = all.new DeviceChanges(own, random.split());
      all.begin("sealed-devices-" + i, random.split(), changes::once, () -> {});
    }
    for (Group group : fleet.groups()) {
      Owner owner = all.new Owner(group, random.split());
      all.begin("sealed-" + group.room(), random.split(), owner::once, owner::letAllIn);
    }
    return all;
  }

  private void begin(String name, SplittableRandom random, Step step, Step last) {
    threads.add(Thread.ofVirtual().name(name).start(() -> run(name, random, step, last)));
  }

  private void run(String name, SplittableRandom random, Step step, Step last) {
    try {
      while (!closed.get()) {
        Thread.sleep(random.nextInt(LEAST_PAUSE_MS, MOST_PAUSE_MS));
        step.run();
      }
      last.run();
    } catch (InterruptedException ended) {
      // the run is over
    } catch (RuntimeException | AssertionError bug) {
      world.anomalies().add(name + " failed: " + bug);
    }
  }

  /// Of some of the accounts; the first device of each stays, and removes the others.
  private final class DeviceChanges {
    private final List<Account> accounts;
    private final SplittableRandom random;
    private final AnyNode nodes;

    DeviceChanges(List<Account> accounts, SplittableRandom random) {
      this.accounts = accounts;
      this.random = random;
      this.nodes = new AnyNode(world, random);
    }

    void once() throws InterruptedException {
      Account account = accounts.get(random.nextInt(accounts.size()));
      List<SealedDevice> others = account.others();
      if (others.isEmpty() || (others.size() < MOST_OTHERS && random.nextBoolean())) {
        add(account, signIn(account.first(), ""));
      } else {
        String free = remove(account, others.remove(random.nextInt(others.size())));
        if (random.nextBoolean()) {
          add(account, signIn(account.first(), free));
        }
      }
    }

    /// Answers the id that is free now, empty where an attempt of unknown outcome may yet remove it
    /// once more.
    private String remove(Account account, SealedDevice device) throws InterruptedException {
      String id = device.person().deviceId();
      fleet.ends(device);
      Said said = nodes.ask(account.first()::at, "DELETE", "/v1/devices/" + id, null);
      if (!said.isYes() && said.answer().status() != 404) {
        throw new IllegalStateException(said.toString());
      }
      return said.isInDoubt() ? "" : id;
    }

    private void add(Account account, Person person) throws InterruptedException {
      JsonObject keys = MadeUpSuite.keys(person.deviceId());
      JsonObject stored = require(nodes.ask(person::at, "PUT", "/v1/me/keys", keys));
      SealedDevice device = fleet.begins(person, stored.getLong("registration_id"));
      account.others().add(device);
      device.open();
    }

    /// Not under an id that an attempt of unknown outcome may yet sign in once more.
    ///
    /// @param deviceId empty: the server makes one
    private Person signIn(Person first, String deviceId) throws InterruptedException {
      JsonObject device = new JsonObject().put("name", "test").put("platform", "test");
      if (!deviceId.isEmpty()) {
        device.put("device_id", deviceId);
      }
      Said said =
          nodes.ask(
              ApiClient::stranger,
              "POST",
              "/v1/tokens",
              new JsonObject()
                  .put("handle", first.handle())
                  .put("password", ApiClient.PASSWORD)
                  .put("device", device));
      if (said.isInDoubt() && !deviceId.isEmpty()) {
        return signIn(first, "");
      }
      JsonObject tokens = require(said);
      return new Person(
          first.handle(),
          first.accountId(),
          tokens.getString("device_id"),
          tokens.getString("access_token"),
          tokens.getString("refresh_token"));
    }
  }

  private static JsonObject require(Said said) {
    if (!said.isYes()) {
      throw new IllegalStateException(said.toString());
    }
    return said.answer().body();
  }

  /// Of one group.
  private final class Owner {
    private final Group group;
    private final SplittableRandom random;
    private final AnyNode nodes;
    private final Deque<String> away = new ArrayDeque<>();

    Owner(Group group, SplittableRandom random) {
      this.group = group;
      this.random = random;
      this.nodes = new AnyNode(world, random);
    }

    void once() {
      if (away.size() >= MOST_AWAY || (!away.isEmpty() && random.nextBoolean())) {
        nodes.tell(group.owner()::at, "PUT", member(away.removeFirst()), new JsonObject());
      } else {
        String account = group.accounts().get(random.nextInt(group.accounts().size()));
        nodes.tell(group.owner()::at, "DELETE", member(account), null);
        away.add(account);
      }
    }

    /// Also whom it was not told of that it is away.
    void letAllIn() throws InterruptedException {
      for (String account : group.accounts()) {
        require(nodes.ask(group.owner()::at, "PUT", member(account), new JsonObject()));
      }
    }

    private String member(String account) {
      return "/v1/rooms/" + group.room() + "/members/" + account;
    }
  }

  /// Answers when nobody comes or goes any more, and all members are in.
  @Override
  public void close() {
    closed.set(true);
    for (Thread thread : threads) {
      try {
        if (!thread.join(Duration.ofMinutes(3))) {
          world.anomalies().add(thread.getName() + " does not end");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
