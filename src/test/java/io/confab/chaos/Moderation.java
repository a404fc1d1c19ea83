package io.confab.chaos;

import io.confab.ledger.Entry;
import io.confab.scenario.ApiClient.Person;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Owners who throw the fleet's accounts out of their rooms, let them in again, ban, mute and
/// promote them, by any node, and archive two of the rooms for good. What becomes of a single call
/// does not matter, but for an archiving.
final class Moderation implements AutoCloseable {
  private static final int LEAST_PAUSE_MS = 50;
  private static final int MOST_PAUSE_MS = 500;
  private static final int MOST_AWAY = 3;
  private static final int MUTED_MS = 1_500;

  private final RunContext world;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<Thread> owners = new ArrayList<>();

  private Moderation(RunContext world) {
    this.world = world;
  }

  /// @param length of the run, of which rooms are archived at half and at four fifths
  static Moderation start(RunContext world, Fleet fleet, Duration length, long seed) {
    Moderation all = new Moderation(world);
    SplittableRandom random = new SplittableRandom(seed);
    long begun = world.millis();
    List<String> rooms = fleet.rooms();
    for (int i = 0; i < rooms.size(); i++) {
      String room = rooms.get(i);
      Person person = fleet.owner(room);
      long last = i == 0 ? length.toMillis() / 2 : length.toMillis() * 4 / 5;
      long archivedAt = i < 2 ? begun + last : Long.MAX_VALUE;
      Owner owner = all.new Owner(person, room, fleet.members(room), archivedAt, random.split());
      all.owners.add(Thread.ofVirtual().name("owner-" + i).start(owner));
    }
    return all;
  }

  /// Of one room.
  private final class Owner implements Runnable {
    private final Person person;
    private final String room;
    private final List<String> accounts;
    private final long archivedAt;
    private final SplittableRandom random;
    private final AnyNode nodes;
    private final Deque<String> away = new ArrayDeque<>();
    private final LongSupplier wallClock = System::currentTimeMillis;

    Owner(
        Person person,
        String room,
        List<String> accounts,
        long archivedAt,
        SplittableRandom random) {
      this.person = person;
      this.room = "/v1/rooms/" + room;
      this.accounts = accounts;
      this.archivedAt = archivedAt;
      this.random = random;
      this.nodes = new AnyNode(world, random);
    }

    @Override
    public void run() {
      try {
        while (!closed.get()) {
          Thread.sleep(random.nextInt(LEAST_PAUSE_MS, MOST_PAUSE_MS));
          if (world.millis() >= archivedAt) {
            archive();
            return;
          }
          once();
        }
      } catch (InterruptedException ended) {
        // the run is over
      } catch (RuntimeException | AssertionError bug) {
        world.anomalies().add("the owner of " + room + " failed: " + bug);
      }
    }

    private void once() {
      if (away.size() >= MOST_AWAY || (!away.isEmpty() && random.nextInt(4) == 0)) {
        String account = away.removeFirst();
        tell("DELETE", "/bans/" + account, null);
        tell("PUT", "/members/" + account, null);
        return;
      }
      String account = accounts.get(random.nextInt(accounts.size()));
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          tell("DELETE", "/members/" + account, null);
          away.add(account);
        }
        case 2 -> {
          tell("PUT", "/bans/" + account, new JsonObject().put("reason", "chaos"));
          away.add(account);
        }
        case 3, 4 ->
            tell(
                "PUT",
                "/mutes/" + account,
                new JsonObject().put("until", wallClock.getAsLong() + MUTED_MS));
        case 5 -> tell("DELETE", "/mutes/" + account, null);
        case 6 -> tell("PUT", "/members/" + account, new JsonObject().put("role", "admin"));
        default -> tell("PUT", "/members/" + account, new JsonObject().put("role", "member"));
      }
    }

    private void tell(String method, String path, @Nullable JsonObject body) {
      nodes.tell(person::at, method, room + path, body);
    }

    private void archive() throws InterruptedException {
      nodes.ask(person::at, "DELETE", room, null);
      JsonObject archived = nodes.ask(person::at, "GET", room, null).answer().body();
      long rev = archived.getLong("rev");
      String id = archived.getString("room_id");
      world.history().add(t -> new Entry.Archived(t, id, rev));
    }
  }

  /// Answers when nobody changes anything any more; everything has to be whole.
  @Override
  public void close() {
    closed.set(true);
    for (Thread owner : owners) {
      try {
        if (!owner.join(Duration.ofMinutes(3))) {
          world.anomalies().add(owner.getName() + " does not end");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
