package io.confab.chaos;

import io.confab.ledger.Entry;
import io.confab.ledger.History;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// What one device says: new messages at its pace, now and then an edit or a deletion of one of its
/// own, each tried until it is acknowledged. Belongs to the device's context.
final class Outbox {
  private static final long PATIENCE_MS = 6_000;
  private static final int WINDOW = 8;
  private static final double EDITED = 0.05;
  private static final double DELETED = 0.02;
  private static final double AGAIN = 0.03;
  private static final Set<String> NOT_ALLOWED = Set.of("not_found", "forbidden", "conflict");
  private static final long LAST_OF_ALL = Long.MAX_VALUE;

  private final String device;
  private final String account;
  private final RunContext world;
  private final boolean comesAndGoes;
  private final RandomGenerator random;
  private final double perSecond;
  private final Set<String> archived = new HashSet<>();
  private final Set<Wish> open = new LinkedHashSet<>();
  private final Map<String, Wish> tries = new HashMap<>();

  /// Of this connection: tried once more since, and may be answered yet.
  private final Set<String> givenUp = new HashSet<>();

  private long messages;
  private long requests;

  /// @param comesAndGoes whether the account may lose rooms, and rooms be archived
  Outbox(
      String device,
      String account,
      RunContext world,
      boolean comesAndGoes,
      RandomGenerator random,
      double perSecond) {
    this.device = device;
    this.account = account;
    this.world = world;
    this.comesAndGoes = comesAndGoes;
    this.random = random;
    this.perSecond = perSecond;
  }

  int open() {
    return open.size();
  }

  /// Goes on: gives up tries that wait too long, makes new messages for these rooms, and says what
  /// is due.
  void tick(long elapsedMs, List<String> all, Consumer<JsonObject> say) {
    List<String> rooms = all.stream().filter(room -> !archived.contains(room)).toList();
    long now = world.millis();
    for (Wish wish : List.copyOf(tries.values())) {
      if (now - wish.triedAt > PATIENCE_MS) {
        givenUp.add(Objects.requireNonNull(wish.request));
        lost(wish);
      }
    }
    if (world.accepting().get() && !rooms.isEmpty()) {
      double wanted = perSecond * elapsedMs / 1_000;
      for (double left = wanted; left > 0 && open.size() < WINDOW; left--) {
        if (random.nextDouble() < left) {
          open.add(message(rooms.get(random.nextInt(rooms.size()))));
        }
      }
    }
    for (Wish wish : List.copyOf(open)) {
      if (wish.request == null && now >= wish.nextTry) {
        say(wish, now, say);
      }
    }
  }

  private Wish message(String room) {
    String clientId = device + "-" + ++messages;
    return new Wish(Wish.Kind.SEND, room, clientId, 0, BodyText.of(clientId, random));
  }

  /// Sends one message beside the usual ones.
  String sendNow(String room) {
    Wish wish = message(room);
    open.add(wish);
    return wish.clientId;
  }

  private void say(Wish wish, long now, Consumer<JsonObject> say) {
    String id = "r" + ++requests;
    wish.request = id;
    wish.triedAt = now;
    tries.put(id, wish);
    History history = world.history();
    String hash = wish.bodyHash();
    switch (wish.kind) {
      case SEND ->
          history.add(t -> new Entry.SendBegan(t, device, wish.room, wish.clientId, account, hash));
      case EDIT, DELETE ->
          history.add(t -> new Entry.ChangeBegan(t, device, wish.room, wish.seq, hash));
    }
    say.accept(wish.frame(id));
  }

  /// What was under way on a connection that is gone has an unknown outcome.
  void cut() {
    List.copyOf(tries.values()).forEach(this::lost);
    givenUp.clear();
  }

  private void lost(Wish wish) {
    retire(wish);
    world.history().add(t -> new Entry.Unknown(t, device, wish.clientId));
    wish.nextTry = 0;
  }

  private void retire(Wish wish) {
    if (wish.request != null) {
      tries.remove(wish.request);
      wish.request = null;
    }
  }

  /// Takes in an answer; false when it answers nothing of ours.
  boolean answered(JsonObject answer) {
    String re = answer.getString("re", "");
    Wish wish = tries.get(re);
    if (wish == null) {
      return givenUp.remove(re);
    }
    retire(wish);
    switch (answer.getString("type")) {
      case "message.ack" -> acked(wish, answer);
      case "ok" -> changed(wish, answer.getLong("rev"));
      default -> refused(wish, answer);
    }
    return true;
  }

  private void acked(Wish wish, JsonObject ack) {
    long seq = ack.getLong("seq");
    boolean duplicate = ack.getBoolean("duplicate", false);
    world.history().add(t -> new Entry.Acked(t, device, wish.room, wish.clientId, seq, duplicate));
    open.remove(wish);
    if (!world.accepting().get() || wish.again) {
      return;
    }
    double chance = random.nextDouble();
    if (chance < EDITED) {
      change(Wish.Kind.EDIT, wish.room, seq);
    } else if (chance < EDITED + DELETED) {
      change(Wish.Kind.DELETE, wish.room, seq);
    } else if (chance < EDITED + DELETED + AGAIN) {
      Wish again = new Wish(wish.kind, wish.room, wish.clientId, 0, wish.body);
      again.again = true;
      open.add(again);
    }
  }

  private void change(Wish.Kind kind, String room, long seq) {
    String clientId = device + "-c" + ++messages;
    open.add(new Wish(kind, room, clientId, seq, BodyText.of(clientId, random)));
  }

  private void changed(Wish wish, long rev) {
    String hash = wish.bodyHash();
    world.history().add(t -> new Entry.ChangeAcked(t, device, wish.room, wish.seq, rev, hash));
    open.remove(wish);
    if (wish.kind == Wish.Kind.EDIT && random.nextDouble() < DELETED * 5) {
      change(Wish.Kind.DELETE, wish.room, wish.seq);
    }
  }

  private void refused(Wish wish, JsonObject error) {
    String code = error.getString("code");
    if (wish.kind == Wish.Kind.DELETE && code.equals("gone")) {
      changed(wish, LAST_OF_ALL); // by an earlier try of ours: nobody else deletes
      return;
    }
    world.history().add(t -> new Entry.Refused(t, device, wish.clientId, code));
    if (error.getBoolean("retryable", false)) {
      wish.nextTry =
          world.millis() + Math.max(200, error.getLong("retry_after_ms", 0L)) + random.nextInt(300);
    } else {
      open.remove(wish);
      if (code.equals("conflict")) {
        archived.add(wish.room);
      }
      if (!comesAndGoes || !NOT_ALLOWED.contains(code)) {
        world.anomalies().add(device + " was refused for good: " + error.encode());
      }
    }
  }
}
