package io.confab.client.sealedroom;

import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.Opened;
import io.confab.client.sealed.Received;
import io.confab.client.sealed.SealedDevice;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.SealedStore;
import io.confab.client.sealed.Warning;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.QueueSeq;
import io.confab.time.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;

/// A device of a test at a [MemoryServer], whose answers come at once and whose pauses are none.
final class Person implements AutoCloseable, Recovering.Part {
  static final Instant NOW = Instant.ofEpochMilli(MemoryServer.TS);

  final AccountId account;
  final DeviceId name;
  final ServerCalls calls;
  final List<Duration> pauses = new ArrayList<>();
  final List<Warning> warnings = new ArrayList<>();
  final SealedDevice sealed;
  final DeviceThread device;
  final Roster roster;
  final KeyUpkeep keys;
  final SealedSends sends;
  final Comparing comparing;
  final Claims claims;
  final Letters letters;
  final List<Comparison> steps = new ArrayList<>();
  private final Promise<Void> held = Promise.promise();
  private boolean holds;
  private boolean ready;

  Person(MemoryServer server, Path temp, long account, String name) {
    this(server, temp, account, name, Runnable::run);
  }

  /// @param worker what is asked of the device
  Person(MemoryServer server, Path temp, long account, String name, Executor worker) {
    this.account = new AccountId(account);
    this.name = new DeviceId(name);
    calls = server.as(this.account, this.name);
    sealed =
        SealedDevice.open(
            SealedStore.open(temp.resolve(account + "-" + name)), this.account, this.name);
    device = new DeviceThread(sealed, worker, Runnable::run);
    roster =
        new Roster(this.account, calls, device, learned -> warnings.addAll(learned.warnings()));
    Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), new Random(1));
    Retries retries = new Retries(this::pause, backoff);
    letters = new Letters(calls, roster, retries);
    claims = new Claims(calls, device, letters, warnings::add, () -> NOW);
    Preparation preparation =
        new Preparation(roster, claims, letters, device, warnings::add, () -> NOW);
    KeyUpkeep.Own own = new KeyUpkeep.Own(this.account, this.name);
    keys = new KeyUpkeep(own, calls, roster, device, retries);
    comparing = new Comparing(roster, claims, letters, device, this::never, steps::add);
    sends = new SealedSends(calls, roster, preparation, device, this::pause, backoff);
  }

  @Override
  public boolean isReady() {
    return ready;
  }

  @Override
  public Future<Void> publish() {
    return keys.publishUnsigned();
  }

  /// Without what else its [Attendance] does.
  @Override
  public Future<SealedState> join() {
    return keys.start().onSuccess(state -> ready = state == SealedState.READY);
  }

  private Future<Void> pause(Duration span) {
    pauses.add(span);
    return holds && !span.isZero() ? held.future() : Future.succeededFuture();
  }

  private Future<Void> never(Duration span) {
    return Promise.<Void>promise().future();
  }

  /// The pauses are over.
  void release() {
    holds = false;
    held.complete();
  }

  /// One whose keys are at the server.
  static Person ready(MemoryServer server, Path temp, long account, String name) {
    Person person = new Person(server, temp, account, name);
    if (person.join().result() != SealedState.READY) {
      throw new AssertionError(person.keys.start().toString());
    }
    person.sends.resume();
    person.sealed.goOn(MemoryServer.EPOCH, new QueueSeq(1), false);
    return person;
  }

  /// One whose pauses last until [#release].
  static Person held(MemoryServer server, Path temp, long account, String name) {
    Person person = ready(server, temp, account, name);
    person.holds = true;
    return person;
  }

  /// Opens all that waits, and says which texts were shown.
  List<String> hear(MemoryServer server) {
    roster.of(MemoryServer.ROOM);
    List<Received> waiting =
        server.queue(account, name).stream().map(QueueDrain::received).toList();
    List<Opened> page = device.ask(own -> own.open(waiting)).result();
    for (Opened one : page) {
      if (one instanceof Opened.Noted noted) {
        comparing.take(noted.note());
      }
    }
    return page.stream()
        .filter(Opened.Shown.class::isInstance)
        .map(shown -> ((Opened.Shown) shown).line().text())
        .toList();
  }

  List<String> texts() {
    return sealed.history().last(MemoryServer.ROOM, 1_000).stream().map(SealedLine::text).toList();
  }

  @Override
  public void close() {
    sealed.close();
  }
}
