package io.confab.chaos;

import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocketClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;

/// What all visitors of a run share. For any thread.
final class SeatWorld {
  private final Vertx vertx;
  private final WebSocketClient client;
  private final List<String> rooms;
  private final List<Machine> machines;
  private final Map<Machine, Boolean> down = new ConcurrentHashMap<>();
  private final SeatLog log = new SeatLog();
  private final SeatHabits habits;
  private final AtomicBoolean going = new AtomicBoolean(true);
  private final AtomicBoolean open = new AtomicBoolean();
  private final AtomicInteger connected = new AtomicInteger();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();
  private final LongAdder tabsClosed = new LongAdder();
  private final LongAdder exits = new LongAdder();
  private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();

  /// @param rooms their ids
  SeatWorld(
      Vertx vertx,
      WebSocketClient client,
      List<String> rooms,
      List<Machine> machines,
      SeatHabits habits) {
    this.vertx = vertx;
    this.client = client;
    this.rooms = List.copyOf(rooms);
    this.machines = List.copyOf(machines);
    this.habits = habits;
  }

  Vertx vertx() {
    return vertx;
  }

  WebSocketClient client() {
    return client;
  }

  String room(int room) {
    return rooms.get(room);
  }

  SeatLog log() {
    return log;
  }

  SeatHabits habits() {
    return habits;
  }

  /// Where to connect to.
  int port(RandomGenerator random) {
    List<Machine> up = machines.stream().filter(each -> !down.containsKey(each)).toList();
    return up.get(random.nextInt(up.size())).port();
  }

  void down(Machine machine, boolean is) {
    if (is) {
      down.put(machine, true);
    } else {
      down.remove(machine);
    }
  }

  /// Whether visitors go on.
  boolean isGoing() {
    return going.get();
  }

  void end() {
    going.set(false);
  }

  /// Whether they enter rooms; until then they only connect.
  boolean isOpen() {
    return open.get();
  }

  void open() {
    open.set(true);
  }

  AtomicInteger connected() {
    return connected;
  }

  AtomicInteger inside() {
    return inside;
  }

  AtomicInteger waiting() {
    return waiting;
  }

  LongAdder tabsClosed() {
    return tabsClosed;
  }

  LongAdder exits() {
    return exits;
  }

  void refused(String code) {
    refusals.computeIfAbsent(code, _ -> new LongAdder()).increment();
  }

  /// By code, how often something was refused.
  Map<String, LongAdder> refusals() {
    return refusals;
  }
}
