package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import io.confab.protocol.RoomId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Encrypts what goes to the devices of a room: the text once, by the key of the own device, and
/// that key for each device that is believed and does not have it. Who is not believed gets the
/// text and not the key.
///
/// A room has one send on its way at a time, so that the messages of a device come in the order of
/// their numbers and a key is shared with those who got it and no others.
final class Sealing {
  private static final String PENDING = "pending/";
  private static final String REFUSED = "refused/";
  private static final String ROOM_KEY = "m.room_key";

  private final DeviceAccount own;
  private final Pins pins;
  private final DeviceLists lists;
  private final OlmSessions sessions;
  private final SenderKeys keys;
  private final Repairs repairs;

  Sealing(
      DeviceAccount own,
      Pins pins,
      DeviceLists lists,
      OlmSessions sessions,
      SenderKeys keys,
      Repairs repairs) {
    this.own = own;
    this.pins = pins;
    this.lists = lists;
    this.sessions = sessions;
    this.keys = keys;
    this.repairs = repairs;
  }

  /// The devices of which a one-time key is needed before something is sealed for a room.
  List<RoomDevice> toClaim(Changes changes, Collection<AccountId> members) {
    return readers(changes, members).entrySet().stream()
        .filter(
            reader ->
                !sessions.has(changes, reader.getValue())
                    || repairs.isBroken(changes, reader.getKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /// Begins a session by a key that was claimed. A device whose key is not believed is left out.
  Optional<Warning> claimed(
      Changes changes, AccountId account, DeviceId device, Opaque oneTimeKey) {
    try {
      DeviceIdentity identity =
          pins.device(changes, account, device)
              .orElseThrow(() -> new Untrusted(Doubt.UNSIGNED_DEVICE));
      sessions.begin(changes, identity, oneTimeKey);
      repairs.begun(changes, account, device);
      return Optional.empty();
    } catch (Untrusted e) {
      return Optional.of(new Warning(account, device, e.doubt()));
    }
  }

  /// Seals a line, or gives the same again while it is on its way, until that was refused.
  Outgoing prepare(
      Changes changes,
      RoomId room,
      ClientId clientId,
      String text,
      Collection<AccountId> members,
      Rotation rotation,
      @Nullable Integer expiresInS,
      Instant now) {
    Optional<Outgoing> pending = pending(changes, room);
    if (pending.isPresent()) {
      if (!pending.get().clientId().equals(clientId)) {
        throw new IllegalStateException("Another send of this room is on its way.");
      }
      if (changes.get(REFUSED + room).isEmpty()) {
        return pending.get();
      }
    }
    List<LetterTo> letters = share(changes, room, members, rotation, now, expiresInS != null);
    Outgoing outgoing =
        new Outgoing(
            room,
            clientId,
            DeviceLists.digest(lists.all(changes, members)),
            keys.encrypt(changes, room, Content.line(room, clientId, text, expiresInS)),
            letters,
            text,
            expiresInS);
    forget(changes, room);
    changes.put(PENDING + room, SealedJson.keep(outgoing));
    return outgoing;
  }

  List<Outgoing> pendings(Changes changes) {
    return changes.keys(PENDING).stream()
        .map(key -> SealedJson.kept(changes.get(key).orElseThrow(), Outgoing.class))
        .toList();
  }

  /// What is on its way to a room.
  Optional<Outgoing> pending(Changes changes, RoomId room) {
    return changes.get(PENDING + room).map(json -> SealedJson.kept(json, Outgoing.class));
  }

  /// The key of a room for those who do not have it, before a line with a lifetime.
  KeyLetters keyLetters(
      Changes changes, RoomId room, Collection<AccountId> members, Rotation rotation, Instant now) {
    List<LetterTo> letters = share(changes, room, members, rotation, now, true);
    return new KeyLetters(room, keys.id(changes, room), letters);
  }

  /// The server has it: those who got the key have it. A key ends where that is not certain: they
  /// may lose it with the line, or it is not known whose queue was full.
  ///
  /// @param full the devices whose queues had no room for it
  Outgoing stored(Changes changes, RoomId room, Collection<RoomDevice> full, boolean duplicate) {
    Outgoing outgoing = pending(changes, room).orElseThrow();
    String key = SealedJson.text(SealedJson.foreign(outgoing.payload().value()), "session_id");
    boolean certain = !duplicate && outgoing.expiresInS() == null;
    got(changes, new KeyLetters(room, key, outgoing.envelopes()), full, certain, true);
    forget(changes, room);
    return outgoing;
  }

  /// The server has letters with a key.
  ///
  /// @param certain whether all but the full ones have it
  void got(Changes changes, KeyLetters letters, Collection<RoomDevice> full, boolean certain) {
    got(changes, letters, full, certain, false);
  }

  private void got(
      Changes changes,
      KeyLetters letters,
      Collection<RoomDevice> full,
      boolean certain,
      boolean withLine) {
    List<String> readers =
        letters.letters().stream()
            .map(LetterTo::device)
            .filter(device -> full.stream().noneMatch(device::hasNameOf))
            .map(Sealing::name)
            .toList();
    if (certain) {
      keys.got(changes, letters.roomId(), letters.keyId(), readers, withLine);
    } else if (!readers.isEmpty()) {
      keys.end(changes, letters.roomId(), letters.keyId());
    }
  }

  /// The server does not take it as it is, and has nothing of it: the same line may be sealed anew.
  /// It stays until then, as nothing else has its text.
  void refused(Changes changes, RoomId room) {
    changes.put(REFUSED + room, new byte[0]);
  }

  /// Nothing is on its way to a room any more.
  void forget(Changes changes, RoomId room) {
    changes.remove(PENDING + room);
    if (changes.get(REFUSED + room).isPresent()) {
      changes.remove(REFUSED + room);
    }
  }

  /// Something for one device with which there is a session.
  LetterTo letter(Changes changes, RoomDevice to, String type, ObjectNode content) {
    DeviceIdentity device = pins.device(changes, to.accountId(), to.deviceId()).orElseThrow();
    return new LetterTo(to, sessions.encrypt(changes, device, type, content));
  }

  /// Letters with the key of a room for those who do not have it; another key where it is time.
  private List<LetterTo> share(
      Changes changes,
      RoomId room,
      Collection<AccountId> members,
      Rotation rotation,
      Instant now,
      boolean outlasts) {
    Map<RoomDevice, DeviceIdentity> readers = readers(changes, members);
    Set<String> names = readers.keySet().stream().map(Sealing::name).collect(Collectors.toSet());
    keys.rotate(changes, room, names, rotation, now, outlasts);
    Set<String> shared = keys.shared(changes, room);
    ObjectNode key = keys.share(changes, room);
    List<LetterTo> letters = new ArrayList<>();
    readers.forEach(
        (device, identity) -> {
          if (!shared.contains(name(device)) && sessions.has(changes, identity)) {
            letters.add(new LetterTo(device, sessions.encrypt(changes, identity, ROOM_KEY, key)));
          }
        });
    return List.copyOf(letters);
  }

  /// The devices that are believed, without the own one.
  private Map<RoomDevice, DeviceIdentity> readers(Changes changes, Collection<AccountId> members) {
    DeviceIdentity me = own.identity(changes);
    Map<RoomDevice, DeviceIdentity> readers = new LinkedHashMap<>();
    for (AccountId member : members) {
      for (ListedDevice listed : lists.of(changes, member)) {
        RoomDevice device = listed.device();
        if (listed.doubt() == null && !me.is(member, device.deviceId())) {
          pins.device(changes, member, device.deviceId())
              .ifPresent(identity -> readers.put(device, identity));
        }
      }
    }
    return readers;
  }

  /// Those who would be told a key: accounts with a device that is believed, without the own one.
  Set<AccountId> readingAccounts(Changes changes, Collection<AccountId> members) {
    AccountId me = own.identity(changes).account();
    return readers(changes, members).keySet().stream()
        .map(RoomDevice::accountId)
        .filter(account -> !account.equals(me))
        .collect(Collectors.toSet());
  }

  /// A device that was removed and came again lost what it had, and is called otherwise.
  private static String name(RoomDevice device) {
    return device.accountId() + "/" + device.deviceId().value() + "/" + device.registrationId();
  }
}
