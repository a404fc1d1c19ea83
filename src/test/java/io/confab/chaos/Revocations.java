package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.chaos.AnyNode.Said;
import io.confab.ledger.Entry;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/// Ends sign-ins of the fleet's devices in every way there is, by any node, waits until their
/// sessions are over, tries what they had signed in with once more, and signs them in anew.
final class Revocations implements AutoCloseable {
  /// What the server promises (2 s), and more for a machine on which everything runs: nodes
  /// were seen to stand still for seconds there.
  private static final Duration WITHIN = Duration.ofSeconds(5);

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  /// What needs no other device.
  private static final List<Way> ALONE = List.of(Way.SIGNED_OUT, Way.SIGNED_IN_ANEW, Way.SUSPENDED);

  /// The status of an answer to whom is suspended.
  private static final int SUSPENDED = 403;

  private static final int WORKERS = 2;
  private static final int LEAST_PAUSE_MS = 500;
  private static final int MOST_PAUSE_MS = 2_500;
  private static final String USUAL_PASSWORD = "correct horse";

  private final RunContext world;
  private final String apiKey;
  private final List<Thread> workers = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  /// How a sign-in ends.
  private enum Way {
    SIGNED_OUT,
    SIGNED_IN_ANEW,
    SUSPENDED,
    DEVICE_REMOVED,
    PASSWORD_CHANGED
  }

  /// @param others who stays signed in; empty where an account has one device
  private record Ending(Way way, Device device, List<Device> others) {
    List<Device> ended() {
      List<Device> ended = new ArrayList<>();
      if (way != Way.PASSWORD_CHANGED) {
        ended.add(device);
      }
      if (way == Way.PASSWORD_CHANGED || way == Way.SUSPENDED) {
        ended.addAll(others);
      }
      return ended;
    }

    boolean isOf(List<Device> account) {
      return account.contains(device);
    }
  }

  private Revocations(RunContext world, String apiKey) {
    this.world = world;
    this.apiKey = apiKey;
  }

  static Revocations start(RunContext world, Fleet fleet, String apiKey, long seed) {
    Revocations all = new Revocations(world, apiKey);
    SplittableRandom random = new SplittableRandom(seed);
    List<List<Device>> accounts = fleet.accounts();
    for (int i = 0; i < WORKERS; i++) {
      List<List<Device>> own = new ArrayList<>();
      for (int a = i; a < accounts.size(); a += WORKERS) {
        own.add(accounts.get(a));
      }
      Worker worker = all.new Worker(own, random.split());
      all.workers.add(Thread.ofVirtual().name("revocations-" + i).start(worker));
    }
    return all;
  }

  /// Sees to some of the accounts, one after the other.
  private final class Worker implements Runnable {
    private final List<List<Device>> accounts;
    private final SplittableRandom random;
    private final AnyNode nodes;
    private final Map<String, String> passwords = new HashMap<>();

    /// Accounts that an attempt of unknown outcome may yet suspend: of them nobody can say what has
    /// ended, so nothing of theirs is ended any more.
    private final List<List<Device>> inDoubt = new ArrayList<>();

    private int changes;

    Worker(List<List<Device>> accounts, SplittableRandom random) {
      this.accounts = new ArrayList<>(accounts);
      this.random = random;
      this.nodes = new AnyNode(world, random);
    }

    @Override
    public void run() {
      try {
        while (!closed.get()) {
          Thread.sleep(random.nextInt(LEAST_PAUSE_MS, MOST_PAUSE_MS));
          if (!accounts.isEmpty()) {
            revoke(ending());
          }
          goOn();
        }
        inDoubt.forEach(account -> account.forEach(Worker::comesBack));
        goOn();
      } catch (InterruptedException ended) {
        // the run is over
      } catch (RuntimeException | AssertionError bug) {
        world.anomalies().add("a sign-in could not be ended or begun: " + bug);
      }
    }

    private Ending ending() {
      List<Device> others = new ArrayList<>(accounts.get(random.nextInt(accounts.size())));
      Device device = others.remove(random.nextInt(others.size()));
      List<Way> ways = others.isEmpty() ? ALONE : List.of(Way.values());
      return new Ending(ways.get(random.nextInt(ways.size())), device, others);
    }

    private void revoke(Ending ending) throws InterruptedException {
      Map<Device, Person> before = new HashMap<>();
      ending.ended().forEach(device -> before.put(device, device.ask(Device::endsSoon)));
      Said said = end(ending);
      for (Device device : ending.ended()) {
        world
            .history()
            .add(t -> new Entry.Revoked(t, device.name(), said.node(), WITHIN.toNanos()));
        device.ask(Device::revoked);
      }
      for (Device device : ending.ended()) {
        wait(device, Device::isOver);
        wait(device, Device::isRefused);
        tryAgain(device, before.getOrDefault(device, person(device)));
      }
      if (ending.way() == Way.SUSPENDED) {
        restored(ending, said.isInDoubt());
        return;
      }
      for (Device device : ending.ended()) {
        signedIn(device, begun(ending.way(), said, device), false);
      }
    }

    private Said begun(Way way, Said said, Device device) throws InterruptedException {
      return switch (way) {
        case SIGNED_IN_ANEW -> said.isInDoubt() ? signIn(person(device), false) : said;
        case DEVICE_REMOVED -> signIn(person(device), false);
        case SIGNED_OUT, SUSPENDED, PASSWORD_CHANGED -> signIn(person(device), true);
      };
    }

    private void restored(Ending ending, boolean mayBeSuspended) throws InterruptedException {
      if (mayBeSuspended) {
        List<Device> account = accounts.stream().filter(ending::isOf).findFirst().orElseThrow();
        accounts.remove(account);
        inDoubt.add(account);
      }
      restore(ending.device());
      for (Device device : ending.ended()) {
        if (mayBeSuspended) {
          signInAgain(device);
        } else {
          signedIn(device, signIn(person(device), true), false);
        }
      }
    }

    private void restore(Device device) throws InterruptedException {
      require(nodes.ask(this::backend, "POST", admin(device, "restore"), null));
    }

    /// Signs in once more whom an attempt of unknown outcome suspended meanwhile.
    private void goOn() throws InterruptedException {
      for (List<Device> account : inDoubt) {
        for (Device device : account) {
          if (device.ask(Device::isLost)) {
            restore(device);
            signInAgain(device);
          }
        }
      }
    }

    /// Of an account that may be suspended at any time.
    private void signInAgain(Device device) throws InterruptedException {
      Said said = signIn(person(device), true);
      while (said.answer().status() == SUSPENDED) {
        restore(device);
        said = signIn(person(device), true);
      }
      signedIn(device, said, true);
    }

    /// Answers when it is connected by what it has signed in with, or that was refused.
    private static void comesBack(Device device) {
      device.ask(Device::moveOn);
      await().atMost(PATIENCE).until(() -> device.ask(d -> d.isLive() || d.isLost()));
    }

    /// @param mayEnd whether an attempt of unknown outcome may end the sign-in yet
    private void signedIn(Device device, Said said, boolean mayEnd) {
      JsonObject tokens = require(said).answer().body();
      Person before = person(device);
      Person anew =
          new Person(
              before.handle(),
              before.accountId(),
              tokens.getString("device_id"),
              tokens.getString("access_token"),
              tokens.getString("refresh_token"));
      world.history().add(t -> new Entry.SignedIn(t, device.name()));
      device.ask(d -> d.signedIn(anew, mayEnd));
    }

    /// Answers when it is certain that it was done.
    private Said end(Ending ending) throws InterruptedException {
      Person person = person(ending.device());
      return switch (ending.way()) {
        case SIGNED_OUT -> nodes.ask(person::at, "DELETE", "/v1/tokens", null);
        case SIGNED_IN_ANEW ->
            require(nodes.ask(ApiClient::stranger, "POST", "/v1/tokens", tokens(person, true)));
        case SUSPENDED ->
            require(nodes.ask(this::backend, "POST", admin(ending.device(), "suspend"), null));
        case DEVICE_REMOVED ->
            nodes.ask(
                person(ending.others().getFirst())::at,
                "DELETE",
                "/v1/devices/" + person.deviceId(),
                null);
        case PASSWORD_CHANGED -> changePassword(person);
      };
    }

    private Said changePassword(Person person) throws InterruptedException {
      String fresh = "horse number " + ++changes;
      JsonObject body = new JsonObject().put("old", password(person)).put("new", fresh);
      Said said = nodes.ask(person::at, "PUT", "/v1/me/password", body);
      passwords.put(person.accountId(), fresh);
      return said;
    }

    private void tryAgain(Device device, Person before) throws InterruptedException {
      long asked = world.nanos().getAsLong();
      Said said = nodes.ask(before::at, "GET", "/v1/me", null);
      if (said.isYes()) {
        world.history().add(t -> new Entry.LetIn(t, device.name(), said.node(), asked));
      } else if (said.answer().status() != 401) {
        world.anomalies().add(device.name() + " without a sign-in: " + said.answer());
      }
    }

    /// Never under an id that an attempt of unknown outcome may yet sign in once more.
    private Said signIn(Person person, boolean sameDevice) throws InterruptedException {
      Said said = nodes.ask(ApiClient::stranger, "POST", "/v1/tokens", tokens(person, sameDevice));
      return sameDevice && said.isInDoubt() ? signIn(person, false) : said;
    }

    private JsonObject tokens(Person person, boolean sameDevice) {
      JsonObject device = new JsonObject().put("name", "test").put("platform", "test");
      if (sameDevice) {
        device.put("device_id", person.deviceId());
      }
      return new JsonObject()
          .put("handle", person.handle())
          .put("password", password(person))
          .put("device", device);
    }

    private String password(Person person) {
      return passwords.getOrDefault(person.accountId(), USUAL_PASSWORD);
    }

    private static Person person(Device device) {
      return device.ask(Device::person);
    }

    private static String admin(Device device, String what) {
      return "/v1/admin/accounts/" + person(device).accountId() + "/" + what;
    }

    private ApiClient backend(int port) {
      return ApiClient.withHeaders(port, Map.of("authorization", "Key " + apiKey));
    }

    private Said require(Said said) {
      if (!said.isYes()) {
        throw new IllegalStateException(said.toString());
      }
      return said;
    }

    /// What does not come about is the ledger's matter.
    private static void wait(Device device, Predicate<Device> condition) {
      try {
        await().atMost(PATIENCE).until(() -> device.ask(condition::test));
      } catch (ConditionTimeoutException e) {
        System.out.println("chaos: " + device.name() + " is served on or cannot ask");
      }
    }
  }

  /// Answers when all are signed in again; everything has to be whole.
  @Override
  public void close() {
    closed.set(true);
    for (Thread worker : workers) {
      try {
        if (!worker.join(Duration.ofMinutes(3))) {
          world.anomalies().add(worker.getName() + " does not end");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
