package io.confab.chaos;

import io.confab.ledger.Entry;
import io.confab.ledger.History;
import io.vertx.core.json.JsonObject;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// What one device says in sealed rooms, at its pace, one letter after the other in each room: a
/// payload must not overtake the key that it needs. Belongs to the device's context.
final class SealedOutbox {
  private static final long PATIENCE_MS = 6_000;
  private static final double SILENT = 0.15;
  private static final double KEYS = 0.15;
  private static final Set<String> NOT_ALLOWED = Set.of("not_found", "forbidden");

  private final String device;
  private final String account;
  private final long registration;
  private final RunContext world;
  private final RandomGenerator random;
  private final double perSecond;
  private final Map<String, RoomDevices> rooms = new HashMap<>();
  private final Map<String, Letter> open = new HashMap<>();
  private final Map<String, Letter> tries = new HashMap<>();

  /// Of this connection: tried once more since, and may be answered yet.
  private final Set<String> givenUp = new HashSet<>();

  private final Map<String, NavigableSet<Long>> own = new HashMap<>();
  private long letters;
  private long requests;

  SealedOutbox(
      String device,
      String account,
      long registration,
      RunContext world,
      RandomGenerator random,
      double perSecond) {
    this.device = device;
    this.account = account;
    this.registration = registration;
    this.world = world;
    this.random = random;
    this.perSecond = perSecond;
  }

  int open() {
    return open.size();
  }

  /// Whether it sent one of these messages.
  boolean sent(String room, long from, long to) {
    Long first = own.getOrDefault(room, Collections.emptyNavigableSet()).ceiling(from);
    return first != null && first <= to;
  }

  /// Says nothing more, and does not mind what becomes of what it said.
  void stop() {
    open.clear();
    tries.clear();
  }

  /// Goes on: gives up tries that wait too long, begins new letters to these rooms, and sends what
  /// is due.
  void tick(long elapsedMs, List<String> to, Consumer<JsonObject> say) {
    long now = world.millis();
    for (Letter letter : List.copyOf(tries.values())) {
      if (now - letter.triedAt > PATIENCE_MS) {
        givenUp.add(Objects.requireNonNull(letter.request));
        lost(letter);
      }
    }
    if (world.accepting().get()
        && !to.isEmpty()
        && random.nextDouble() < perSecond * elapsedMs / 1_000) {
      String room = to.get(random.nextInt(to.size()));
      open.computeIfAbsent(room, this::letter);
    }
    for (Letter letter : List.copyOf(open.values())) {
      if (letter.request == null && now >= letter.nextTry) {
        send(letter, now, say);
      }
    }
  }

  private Letter letter(String room) {
    double chance = random.nextDouble();
    Letter.Kind kind =
        chance < SILENT
            ? Letter.Kind.SILENT
            : chance < SILENT + KEYS ? Letter.Kind.KEYS : Letter.Kind.MESSAGE;
    return new Letter(kind, room, device + "-" + ++letters);
  }

  private RoomDevices devices(String room) {
    return rooms.computeIfAbsent(room, _ -> new RoomDevices(device, room, registration));
  }

  private void send(Letter letter, long now, Consumer<JsonObject> say) {
    Letter.Words before = letter.words;
    Letter.Words words = before == null ? letter.write(devices(letter.room), random) : before;
    String id = "e" + ++requests;
    letter.request = id;
    letter.triedAt = now;
    tries.put(id, letter);
    History history = world.history();
    if (!letter.isSilent()) {
      history.add(t -> new Entry.SendBegan(t, device, letter.room, letter.clientId, account, ""));
    }
    history.add(
        t ->
            new Entry.EnvelopeBegan(
                t,
                device,
                registration,
                account,
                letter.room,
                letter.clientId,
                letter.isSilent(),
                words.devices(),
                words.bodies(),
                words.key(),
                words.payloadHash()));
    say.accept(Letter.frame(letter, words, id));
  }

  /// What was under way on a connection that is gone has an unknown outcome.
  void cut() {
    List.copyOf(tries.values()).forEach(this::lost);
    givenUp.clear();
  }

  private void lost(Letter letter) {
    retire(letter);
    world.history().add(t -> new Entry.Unknown(t, device, letter.clientId));
    letter.unknown = true;
    letter.nextTry = 0;
  }

  private void retire(Letter letter) {
    if (letter.request != null) {
      tries.remove(letter.request);
      letter.request = null;
    }
  }

  /// Takes in an answer; false when it answers nothing of ours.
  boolean answered(JsonObject answer) {
    String re = answer.getString("re", "");
    Letter letter = tries.get(re);
    if (letter == null) {
      return givenUp.remove(re);
    }
    retire(letter);
    if (answer.getString("type").equals("envelope.ack")) {
      acked(letter, answer);
    } else {
      refused(letter, answer);
    }
    return true;
  }

  private void acked(Letter letter, JsonObject ack) {
    long seq = ack.getLong("seq", 0L);
    boolean duplicate = ack.getBoolean("duplicate", false);
    world
        .history()
        .add(t -> new Entry.Acked(t, device, letter.room, letter.clientId, seq, duplicate));
    open.remove(letter.room);
    own.computeIfAbsent(letter.room, _ -> new TreeSet<>()).add(seq);
    Letter.Words words = letter.words;
    if (words != null) {
      devices(letter.room).have(words.key(), words.registrations());
    }
    if (ack.containsKey("full")) {
      world.anomalies().add(device + " was told that a queue is full: " + ack.encode());
    }
  }

  private void refused(Letter letter, JsonObject error) {
    String code = error.getString("code");
    world.history().add(t -> new Entry.Refused(t, device, letter.clientId, code));
    if (code.equals("device_mismatch")) {
      devices(letter.room).are(error.getJsonArray("devices"));
      letter.words = null;
      letter.nextTry = 0;
    } else if (error.getBoolean("retryable", false)) {
      letter.nextTry =
          world.millis() + Math.max(200, error.getLong("retry_after_ms", 0L)) + random.nextInt(300);
    } else {
      open.remove(letter.room);
      boolean byEarlierTry = code.equals("idempotency_mismatch") && letter.unknown;
      if (!byEarlierTry && !NOT_ALLOWED.contains(code)) {
        world.anomalies().add(device + " was refused for good: " + error.encode());
      }
    }
  }
}
