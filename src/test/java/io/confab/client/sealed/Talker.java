package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A device of a test, with a server that it believes to be one: does what a client does around a
/// [SealedDevice].
final class Talker implements AutoCloseable {
  static final RoomId ROOM = new RoomId(5);
  static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_000L);

  final RoomDevice place;
  final List<Warning> warnings = new ArrayList<>();

  private final HonestServer server;
  private final Path folder;
  private SealedStore store;
  private SealedDevice device;
  private int sent;

  private Talker(
      HonestServer server, Path folder, AccountId account, DeviceId name, boolean signs) {
    this.server = server;
    this.folder = folder;
    store = SealedStore.open(folder);
    device = SealedDevice.open(store, account, name);
    if (signs) {
      server.identity(account, device.createIdentity());
    }
    place = server.publish(account, name, device.publication(0));
    device.published();
    device.goOn(HonestServer.EPOCH, new QueueSeq(1), false);
  }

  /// A device whose account signs it.
  static Talker first(HonestServer server, Path temp, long account, String name) {
    return talker(server, temp, account, name, true);
  }

  static Talker unsigned(HonestServer server, Path temp, long account, String name) {
    return talker(server, temp, account, name, false);
  }

  private static Talker talker(
      HonestServer server, Path temp, long account, String name, boolean signs) {
    return new Talker(
        server, temp.resolve(account + name), new AccountId(account), new DeviceId(name), signs);
  }

  SealedDevice device() {
    return device;
  }

  SealedStore store() {
    return store;
  }

  AccountId account() {
    return place.accountId();
  }

  /// The process ends and begins anew.
  void restart() {
    device.close();
    restartClosed();
  }

  void restartClosed() {
    store = SealedStore.open(folder);
    device = SealedDevice.open(store, account(), place.deviceId());
  }

  void ask(AccountId... accounts) {
    for (AccountId account : accounts) {
      warnings.addAll(device.learn(List.of(server.query(account))).warnings());
    }
  }

  /// Begins the sessions that are missing, and tells of those that began anew.
  void claim(AccountId... members) {
    for (RoomDevice to : device.toClaim(List.of(members))) {
      device.claimed(to.accountId(), to.deviceId(), server.claim(to)).ifPresent(warnings::add);
    }
    for (RoomDevice to : device.toTell()) {
      server.sendLoose(place, List.of(device.dummy(to)));
      device.told(to);
    }
  }

  Outgoing prepare(String text, AccountId... members) {
    return prepare(text, null, members);
  }

  Outgoing prepare(String text, @Nullable Integer expiresInS, AccountId... members) {
    claim(members);
    ClientId clientId = new ClientId(place.deviceId() + "-" + ++sent);
    return device.prepare(ROOM, clientId, text, List.of(members), Rotation.GROUP, expiresInS, NOW);
  }

  /// Sends a line with a lifetime as a client does: what is to outlast it goes before.
  Seq sayFor(int seconds, String text, AccountId... members) {
    claim(members);
    KeyLetters letters = device.keyLetters(ROOM, List.of(members), Rotation.GROUP, NOW);
    server.sendLoose(place, letters.letters());
    device.gotKey(letters, List.of(), false);
    Outgoing outgoing = prepare(text, seconds, members);
    Seq seq = server.send(place, outgoing, List.of(members), NOW.toEpochMilli()).orElseThrow();
    device.stored(ROOM, seq, NOW.toEpochMilli(), List.of(), false);
    return seq;
  }

  /// Sends a line as a client does: once more with the right devices where the server refuses.
  Seq say(String text, AccountId... members) {
    Outgoing outgoing = prepare(text, members);
    Optional<Seq> seq = server.send(place, outgoing, List.of(members), NOW.toEpochMilli());
    if (seq.isEmpty()) {
      device.forget(ROOM);
      ask(members);
      return say(text, members);
    }
    device.stored(ROOM, seq.get(), NOW.toEpochMilli(), List.of(), false);
    return seq.get();
  }

  /// Opens all that waits, and says which texts were shown.
  List<String> hear() {
    return shown(open());
  }

  List<Opened> open() {
    QueueSeq position = device.position().orElseThrow().queueSeq();
    return device.open(server.queueAfter(place, position));
  }

  static List<String> shown(List<Opened> opened) {
    return opened.stream()
        .flatMap(
            one -> one instanceof Opened.Shown(_, var line) ? Optional.of(line).stream() : null)
        .map(SealedLine::text)
        .toList();
  }

  List<String> texts() {
    return device.history().last(ROOM, 1_000).stream().map(SealedLine::text).toList();
  }

  @Override
  public void close() {
    device.close();
  }
}
