package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import io.confab.protocol.RoomId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
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
  private static final String BROKEN = "broken/";
  private static final String ROOM_KEY = "m.room_key";

  private final DeviceAccount own;
  private final Pins pins;
  private final DeviceLists lists;
  private final OlmSessions sessions;
  private final SenderKeys keys;

  Sealing(
      DeviceAccount own, Pins pins, DeviceLists lists, OlmSessions sessions, SenderKeys keys) {
    this.own = own;
    this.pins = pins;
    this.lists = lists;
    this.sessions = sessions;
    this.keys = keys;
  }

  /// The devices of which a one-time key is needed before something is sealed for a room.
  List<RoomDevice> toClaim(Changes changes, Collection<AccountId> members) {
    return readers(changes, members).entrySet().stream()
        .filter(
            reader ->
                !sessions.has(changes, reader.getValue())
                    || changes.get(BROKEN + name(reader.getKey())).isPresent())
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
      return Optional.empty();
    } catch (Untrusted e) {
      return Optional.of(new Warning(account, device, e.doubt()));
    }
  }

  /// Seals a line, or gives the same again while it is on its way.
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
      return pending.get();
    }
    Map<RoomDevice, DeviceIdentity> readers = readers(changes, members);
    Set<String> names = readers.keySet().stream().map(Sealing::name).collect(Collectors.toSet());
    keys.rotate(changes, room, names, rotation, now);
    List<LetterTo> letters = share(changes, room, readers);
    Outgoing outgoing =
        new Outgoing(
            room,
            clientId,
            digest(lists.all(changes, members)),
            keys.encrypt(changes, room, Content.line(room, clientId, text)),
            letters,
            text,
            expiresInS);
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

  /// The server has it: those who got the key have it.
  ///
  /// @param full the devices whose queues had no room for it
  Outgoing stored(Changes changes, RoomId room, Collection<RoomDevice> full) {
    Outgoing outgoing = pending(changes, room).orElseThrow();
    keys.got(
        changes,
        room,
        outgoing.envelopes().stream()
            .map(LetterTo::device)
            .filter(device -> !full.contains(device))
            .map(Sealing::name)
            .toList());
    changes.remove(PENDING + room);
    return outgoing;
  }

  /// The server does not take it, and has nothing of it.
  void refused(Changes changes, RoomId room) {
    changes.remove(PENDING + room);
  }

  /// Something for one device with which there is a session.
  LetterTo letter(Changes changes, RoomDevice to, String type, ObjectNode content) {
    DeviceIdentity device = pins.device(changes, to.accountId(), to.deviceId()).orElseThrow();
    changes.remove(BROKEN + name(to));
    return new LetterTo(to, sessions.encrypt(changes, device, type, content));
  }

  /// What a device encrypted could not be opened, so another session is needed with it.
  void broken(Changes changes, AccountId account, DeviceId device) {
    changes.put(BROKEN + name(account, device), new byte[0]);
  }

  /// A device began anew, and has none of the keys that it was told.
  void begunAnew(Changes changes, AccountId account, DeviceId device) {
    keys.lost(changes, name(account, device));
  }

  private List<LetterTo> share(
      Changes changes, RoomId room, Map<RoomDevice, DeviceIdentity> readers) {
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
  private Map<RoomDevice, DeviceIdentity> readers(
      Changes changes, Collection<AccountId> members) {
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

  /// As the protocol says for `devices` of `envelope.send`.
  static String digest(Collection<RoomDevice> devices) {
    String registrations =
        devices.stream()
            .map(RoomDevice::registrationId)
            .sorted()
            .distinct()
            .map(Object::toString)
            .collect(Collectors.joining(","));
    try {
      byte[] sha256 =
          MessageDigest.getInstance("SHA-256")
              .digest(registrations.getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(sha256, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String name(RoomDevice device) {
    return name(device.accountId(), device.deviceId());
  }

  private static String name(AccountId account, DeviceId device) {
    return account + "/" + device.value();
  }
}
