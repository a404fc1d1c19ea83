package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// The own device in sealed rooms: publishes its keys, seals what its person writes, opens what its
/// queue brings, and keeps all of it in one store. Each call is one transaction, so a device that
/// is killed in the midst of one was never asked.
///
/// What a call is given from the server is not believed; what a call answers for the server is
/// encrypted. One thread at a time.
public final class SealedDevice implements AutoCloseable {
  private final SealedStore store;
  private final DeviceAccount own;
  private final OwnIdentity identity;
  private final Pins pins = new Pins();
  private final OlmSessions sessions;
  private final Sealing sealing;
  private final Lines lines = new Lines(pins);
  private final Opening opening;

  private SealedDevice(SealedStore store, AccountId account, DeviceId device) {
    this.store = store;
    own = new DeviceAccount(account, device);
    identity = new OwnIdentity(account);
    sessions = new OlmSessions(own);
    sealing = new Sealing(own, pins, sessions, new SenderKeys(own));
    opening = new Opening(pins, sessions, new ReceivedKeys(), sealing, lines);
    store.change(own::open);
  }

  /// Takes over the store; makes the keys of the device where it has none.
  public static SealedDevice open(SealedStore store, AccountId account, DeviceId device) {
    return new SealedDevice(store, account, device);
  }

  /// Makes the identity of the account, which has none, and signs this device.
  ///
  /// @return to be published; [#publication] has the signed device
  public Opaque createIdentity() {
    return store.transact(
        changes -> {
          AccountIdentity made = identity.create(changes);
          pins.own(changes, made);
          own.signed(changes, identity.sign(changes, own.identity(changes)).orElseThrow());
          return made.opaque();
        });
  }

  /// What is to be published: the same again until [#published].
  ///
  /// @param waiting how many one-time keys the server has
  public Publication publication(long waiting) {
    return store.transact(changes -> own.publication(changes, waiting));
  }

  public void published() {
    store.change(own::published);
  }

  /// The fallback key was handed out.
  public void renewFallback() {
    store.change(own::renewFallback);
  }

  /// @param warnings what the person is to know
  /// @param shown lines that waited for it
  public record Learned(List<Warning> warnings, List<SealedLine> shown) {}

  /// Takes what the server tells of accounts and their devices, the own account too.
  public Learned learn(Collection<KnownAccount> accounts) {
    return store.transact(
        changes -> {
          List<Warning> warnings = new ArrayList<>();
          List<SealedLine> shown = new ArrayList<>();
          for (KnownAccount account : accounts) {
            warnings.addAll(pins.learn(changes, account));
            shown.addAll(lines.release(changes, account.accountId()));
          }
          return new Learned(List.copyOf(warnings), List.copyOf(shown));
        });
  }

  public Trust trust(AccountId account) {
    return store.transact(changes -> pins.trust(changes, account));
  }

  /// The person accepts the other identity of somebody; answers the lines that waited for it.
  public List<SealedLine> accept(AccountId account) {
    return store.transact(
        changes -> {
          pins.accept(changes, account);
          return lines.release(changes, account);
        });
  }

  /// The devices of which a one-time key is to be claimed before [#prepare].
  public List<RoomDevice> toClaim(Collection<AccountId> members) {
    return store.transact(changes -> sealing.toClaim(changes, members));
  }

  /// Takes a key that was claimed; a warning where it is not believed.
  public Optional<Warning> claimed(AccountId account, DeviceId device, Opaque oneTimeKey) {
    return store.transact(changes -> sealing.claimed(changes, account, device, oneTimeKey));
  }

  /// Seals a line for a room, which has no other one on its way.
  ///
  /// @param members of the room, with oneself
  public Outgoing prepare(
      RoomId room,
      ClientId clientId,
      String text,
      Collection<AccountId> members,
      Rotation rotation,
      Instant now) {
    return store.transact(
        changes -> sealing.prepare(changes, room, clientId, text, members, rotation, now));
  }

  /// What is on its way to a room, as after being killed.
  public Optional<Outgoing> pending(RoomId room) {
    return store.transact(changes -> sealing.pending(changes, room));
  }

  /// The server has what was on its way: it is a line now.
  ///
  /// @param full the devices whose queues had no room for it
  public SealedLine stored(RoomId room, Seq seq, long ts, Collection<RoomDevice> full) {
    return store.transact(
        changes -> {
          Outgoing outgoing = sealing.stored(changes, room, full);
          DeviceIdentity me = own.identity(changes);
          SealedLine line =
              new SealedLine(
                  room,
                  seq,
                  me.account(),
                  me.device(),
                  outgoing.clientId(),
                  ts,
                  outgoing.text(),
                  null,
                  null);
          lines.keep(changes, line, me);
          return line;
        });
  }

  /// The server takes nothing of what was on its way, such as for `device_mismatch`.
  public void refused(RoomId room) {
    store.change(changes -> sealing.refused(changes, room));
  }

  /// Something for one device, with which there is a session, that no person wrote.
  public LetterTo letter(RoomDevice to, String type, ObjectNode content) {
    return store.transact(changes -> sealing.letter(changes, to, type, content));
  }

  public Optional<Position> position() {
    return store.transact(opening::position);
  }

  /// The queue goes on after this number, as `queue.opened` says.
  public void goOnAfter(Position position) {
    store.change(changes -> opening.goOnAfter(changes, position));
  }

  /// Opens a page of the queue; what was opened is kept when this returns, and may be acknowledged.
  public List<Opened> open(List<Received> page) {
    return store.transact(
        changes -> page.stream().map(received -> opening.open(changes, received)).toList());
  }

  /// What devices said to this one, until [#done].
  public List<Note> inbox() {
    return store.transact(opening::inbox);
  }

  public void done(Note note) {
    store.change(changes -> opening.done(changes, note));
  }

  /// The last lines of a room that are shown, oldest first.
  public List<SealedLine> lines(RoomId room, int most) {
    return store.transact(changes -> lines.last(changes, room, most));
  }

  /// Removes what is over, from the disk too.
  public void expire(Instant now) {
    if (store.transact(changes -> lines.expire(changes, now))) {
      store.purge();
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
