package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  private final Belongings belongings;
  private final Pins pins = new Pins();
  private final DeviceLists lists = new DeviceLists(pins);
  private final OlmSessions sessions;
  private final Repairs repairs;
  private final Sealing sealing;
  private final RoomReaders readers = new RoomReaders();
  private final Lines lines = new Lines(pins);
  private final History history;
  private final Comparisons comparisons;
  private final Opening opening;
  private final Recovery recovery;
  private final Links links;

  private SealedDevice(SealedStore store, AccountId account, DeviceId device) {
    this.store = store;
    own = new DeviceAccount(account, device);
    identity = new OwnIdentity(account);
    sessions = new OlmSessions(own);
    SenderKeys keys = new SenderKeys(own);
    repairs = new Repairs(lists, pins, sessions, keys);
    sealing = new Sealing(own, pins, lists, sessions, keys, repairs);
    ReceivedKeys received = new ReceivedKeys();
    opening = new Opening(pins, sessions, received, repairs, lines);
    history = new History(store, lines);
    Partners partners = new Partners(own, pins, lists, sessions);
    comparisons = new Comparisons(store, partners, pins, sealing, opening.inbox());
    belongings = new Belongings(own, account, identity, pins, lines, readers, repairs);
    recovery = new Recovery(store, account, belongings);
    LinkLetters letters = new LinkLetters(sealing);
    links =
        new Links(
            store,
            own,
            partners,
            opening.inbox(),
            new LinkAsking(own, pins, letters, new Unpacking(belongings, received, lines)),
            new LinkGiving(
                own, belongings, letters, () -> new Parcels(belongings, received, lines)));
    store.change(own::open);
  }

  /// Takes over the store; makes the keys of the device where it has none. Fails as
  /// [ForeignStoreException] where it has those of another device, and as a [LinkageError] where
  /// the native code cannot be loaded.
  public static SealedDevice open(SealedStore store, AccountId account, DeviceId device) {
    if (!Vodozemac.isLoaded()) {
      throw new IllegalStateException("The native code is not loaded.");
    }
    return new SealedDevice(store, account, device);
  }

  /// Whether the account has an identity that the server told of and of which this device does not
  /// have the secrets.
  public boolean isOfAnother() {
    return !recovery.hasIdentity()
        && store
            .transact(changes -> pins.identity(changes, own.identity(changes).account()))
            .isPresent();
  }

  /// Makes the identity of the account, which has none, and signs this device; the same again where
  /// this device has made it already. Not where it [#isOfAnother].
  ///
  /// @return to be published; [#publication] has the signed device
  public Opaque createIdentity() {
    return store.transact(
        changes -> {
          Optional<AccountIdentity> there = identity.identity(changes);
          if (there.isEmpty()
              && pins.identity(changes, own.identity(changes).account()).isPresent()) {
            throw new IllegalStateException("The account has an identity already.");
          }
          return there.orElseGet(() -> belongings.establish(changes)).opaque();
        });
  }

  /// The identity of the account, where this device has the secrets of it.
  public Optional<Opaque> ownIdentity() {
    return store.transact(identity::identity).map(AccountIdentity::opaque);
  }

  /// Whether the identity of the account signed this device, and is the one that the server tells.
  public boolean isSigned() {
    return store.transact(changes -> pins.sign(changes, own.identity(changes)));
  }

  /// This device with the signature of its account, where the server listed it without when that
  /// was learned last.
  public Optional<Opaque> dueSignature() {
    return store.transact(changes -> own.dueSignature(changes, pins)).map(DeviceIdentity::opaque);
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
            warnings.addAll(lists.learn(changes, account));
            shown.addAll(lines.release(changes, account.accountId()));
            DeviceIdentity mine = own.identity(changes);
            if (account.accountId().equals(mine.account())) {
              own.listed(changes, account, pins);
              // That this device is not signed, or not listed, is no news to it.
              warnings.remove(new Warning(mine.account(), mine.device(), Doubt.UNSIGNED_DEVICE));
              warnings.remove(new Warning(mine.account(), null, Doubt.NO_DEVICE));
            }
          }
          own.takeSignature(changes, pins);
          return new Learned(List.copyOf(warnings), List.copyOf(shown));
        });
  }

  /// Takes that the server does not answer for these accounts: they have no devices to send to.
  public void learnAbsent(Collection<AccountId> accounts) {
    store.change(changes -> accounts.forEach(account -> lists.absent(changes, account)));
  }

  /// The devices of an account that the server lists, believed or not.
  public List<ListedDevice> devices(AccountId account) {
    return store.transact(changes -> lists.of(changes, account));
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

  /// Answers the lines that waited for somebody to be believed, as after a comparison. What the
  /// server tells since is not accepted by that.
  public List<SealedLine> release(AccountId account) {
    return store.transact(changes -> lines.release(changes, account));
  }

  /// Looks at who is said to be in a room, before it is sealed for them. A room of two is one of
  /// those two for ever, whatever else is said later.
  ///
  /// @param members of the room, with oneself
  /// @param peer the other one of a room of two
  public Admitted admit(RoomId room, Collection<AccountId> members, Optional<AccountId> peer) {
    return store.transact(
        changes ->
            readers.admit(
                changes,
                room,
                own.identity(changes).account(),
                members,
                sealing.readingAccounts(changes, members),
                peer));
  }

  /// The devices of which a one-time key is to be claimed before [#prepare]: each until [#claimed].
  public List<RoomDevice> toClaim(Collection<AccountId> members) {
    return store.transact(changes -> sealing.toClaim(changes, members));
  }

  /// Takes a key that was claimed; a warning where it is not believed.
  public Optional<Warning> claimed(AccountId account, DeviceId device, Opaque oneTimeKey) {
    return store.transact(changes -> sealing.claimed(changes, account, device, oneTimeKey));
  }

  /// The devices that are to be sent [#dummy], each until [#told].
  public List<RoomDevice> toTell() {
    return store.transact(repairs::owed);
  }

  /// Says to a device that a session began anew and that keys are to be told again.
  public LetterTo dummy(RoomDevice to) {
    return letter(to, OlmNames.DUMMY, SealedJson.object());
  }

  /// The server has what [#dummy] was for a device.
  public void told(RoomDevice device) {
    store.change(changes -> repairs.told(changes, device));
  }

  /// The key of a room for those who do not have it, to be sent before a line with a lifetime:
  /// with that line it would go when the line is over. Others again until [#gotKey], none where all
  /// have it.
  ///
  /// @param members of the room, with oneself
  public KeyLetters keyLetters(
      RoomId room, Collection<AccountId> members, Rotation rotation, Instant now) {
    return store.transact(changes -> sealing.keyLetters(changes, room, members, rotation, now));
  }

  /// The server has these letters.
  ///
  /// @param full the devices whose queues had no room for it
  /// @param duplicate it had them already, and so named none that is full
  public void gotKey(KeyLetters letters, Collection<RoomDevice> full, boolean duplicate) {
    store.change(changes -> sealing.got(changes, letters, full, !duplicate));
  }

  /// Seals a line for a room, which has no other one on its way. The same line is given again, and
  /// sealed anew once it was [#refused].
  ///
  /// @param members of the room, with oneself
  /// @param expiresInS the lifetime of the line in seconds, its own or that of the room; null: none
  public Outgoing prepare(
      RoomId room,
      ClientId clientId,
      String text,
      Collection<AccountId> members,
      Rotation rotation,
      @Nullable Integer expiresInS,
      Instant now) {
    return store.transact(
        changes ->
            sealing.prepare(changes, room, clientId, text, members, rotation, expiresInS, now));
  }

  /// What is on its way, of each room one, as after being killed.
  public List<Outgoing> pendings() {
    return store.transact(sealing::pendings);
  }

  /// What is on its way to a room.
  public Optional<Outgoing> pending(RoomId room) {
    return store.transact(changes -> sealing.pending(changes, room));
  }

  /// The server has what was on its way: it is a line now.
  ///
  /// @param full the devices whose queues had no room for it
  /// @param duplicate it had it already, and so named none that is full
  public SealedLine stored(
      RoomId room, Seq seq, long ts, Collection<RoomDevice> full, boolean duplicate) {
    return store.transact(
        changes -> {
          DeviceIdentity me = own.identity(changes);
          SealedLine line = sealing.stored(changes, room, full, duplicate).line(me, seq, ts);
          lines.keep(changes, line, me);
          return line;
        });
  }

  /// The server takes nothing of what is on its way for those who were to read it, such as for
  /// `device_mismatch`. [#prepare] seals the line anew; until then it is kept as it is.
  public void refused(RoomId room) {
    store.change(changes -> sealing.refused(changes, room));
  }

  /// What was on its way is not stored and goes no more.
  public void forget(RoomId room) {
    store.change(changes -> sealing.forget(changes, room));
  }

  /// Something for one device, with which there is a session, that no person wrote.
  public LetterTo letter(RoomDevice to, String type, ObjectNode content) {
    return store.transact(changes -> sealing.letter(changes, to, type, content));
  }

  /// Takes the registration under which the server listed this device. Where it is not the one of
  /// before, the queue is another one too, and the position is none of it. To be called while the
  /// queue is not open.
  public void takeRegistration() {
    store.change(
        changes -> {
          DeviceIdentity me = own.identity(changes);
          lists
              .find(changes, me.account(), me.device())
              .ifPresent(listed -> opening.registered(changes, listed.registrationId()));
        });
  }

  public Optional<Position> position() {
    return store.transact(opening::position);
  }

  /// Takes what `queue.opened` says. Where numbers were lost, or the queue is another one, other
  /// devices may have told keys that are gone, and are owed [#dummy]; the own keys begin anew too.
  ///
  /// @param first what comes next
  /// @param reset the position is none of this queue
  public void goOn(Epoch epoch, QueueSeq first, boolean reset) {
    store.change(changes -> opening.goOn(changes, epoch, first, reset));
  }

  /// The numbers of the queue that are to be rejected as undecryptable, each until [#rejected];
  /// before anything behind them is acknowledged.
  public List<QueueSeq> toReject() {
    return store.transact(opening.rejects()::all);
  }

  public void rejected(QueueSeq seq) {
    store.change(changes -> opening.rejects().rejected(changes, seq));
  }

  /// Opens a page of the queue; what was opened is kept when this returns, and may be acknowledged.
  public List<Opened> open(List<Received> page) {
    return store.transact(
        changes -> page.stream().map(received -> opening.open(changes, received)).toList());
  }

  /// Passes over one at which [#open] fails, as if it could not be decrypted.
  public Opened drop(Received received) {
    return store.transact(changes -> opening.drop(changes, received));
  }

  /// What devices said to this one, until [#done].
  public List<Note> inbox() {
    return store.transact(opening.inbox()::all);
  }

  public void done(Note note) {
    store.change(changes -> opening.inbox().done(changes, note));
  }

  /// What is kept for the person.
  public History history() {
    return history;
  }

  /// The vault of the account.
  public Recovery recovery() {
    return recovery;
  }

  /// Linking to another device of the account.
  public Links links() {
    return links;
  }

  /// Comparisons by emoji.
  public Comparisons comparisons() {
    return comparisons;
  }

  @Override
  public void close() {
    comparisons.close();
    store.close();
  }
}
