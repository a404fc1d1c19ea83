package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A server of sealed rooms as the protocol describes it, in memory: it hands keys out once,
/// numbers rooms and queues, and reads nothing. Tests make it lie by changing what it answers.
final class HonestServer {
  static final Epoch EPOCH = new Epoch(1);

  private final Map<AccountId, Opaque> identities = new HashMap<>();
  private final Map<RoomDevice, Directory> devices = new LinkedHashMap<>();
  private final Map<RoomId, Long> rooms = new HashMap<>();
  private long registrations = 40;

  /// When what is sent without a room comes.
  Instant now = Talker.NOW;

  private static final class Directory {
    private final Opaque first;
    private Opaque identity;
    private @Nullable Opaque fallback;
    private final Deque<PublicKey> oneTimeKeys = new ArrayDeque<>();
    private final List<Received> queue = new ArrayList<>();

    private Directory(Opaque identity) {
      first = identity;
      this.identity = identity;
    }
  }

  void identity(AccountId account, Opaque identity) {
    identities.put(account, identity);
  }

  RoomDevice publish(AccountId account, DeviceId device, Publication publication) {
    RoomDevice place =
        find(account, device)
            .orElseGet(() -> new RoomDevice(account, device, new RegistrationId(++registrations)));
    Directory directory =
        devices.computeIfAbsent(place, _ -> new Directory(publication.identity()));
    if (!List.of(directory.first, directory.identity).contains(publication.identity())) {
      throw new IllegalStateException("conflict: identity");
    }
    publication.fallback().ifPresent(fallback -> directory.fallback = fallback.key());
    directory.oneTimeKeys.addAll(publication.oneTimeKeys());
    return place;
  }

  /// Takes the identity of a device with other signatures, or whatever stands there.
  void sign(RoomDevice device, Opaque identity) {
    at(device).identity = identity;
  }

  void remove(RoomDevice device) {
    devices.remove(device);
  }

  KnownAccount query(AccountId account) {
    List<KnownDevice> known = new ArrayList<>();
    devices.forEach(
        (place, directory) -> {
          if (place.accountId().equals(account)) {
            known.add(
                new KnownDevice(place.deviceId(), place.registrationId(), directory.identity));
          }
        });
    return new KnownAccount(account, identities.get(account), known);
  }

  Opaque claim(RoomDevice device) {
    Directory directory = at(device);
    PublicKey key = directory.oneTimeKeys.poll();
    return key == null ? Optional.ofNullable(directory.fallback).orElseThrow() : key.key();
  }

  int waiting(RoomDevice device) {
    return at(device).oneTimeKeys.size();
  }

  /// Stores letters without a room.
  void sendLoose(RoomDevice from, List<LetterTo> letters) {
    for (LetterTo letter : letters) {
      put(
          letter.device(),
          new Received.Envelope(
              next(letter.device()),
              EPOCH,
              null,
              null,
              from.accountId(),
              from.deviceId(),
              new ClientId("loose"),
              now.toEpochMilli(),
              letter.body(),
              null,
              null));
    }
  }

  /// The lifetime of what waits for a device is over.
  void expire(RoomDevice device) {
    at(device)
        .queue
        .replaceAll(
            received ->
                received instanceof Received.Envelope envelope && envelope.expiresAt() != null
                    ? new Received.Gone(received.queueSeq(), received.epoch())
                    : received);
  }

  /// Stores a send as one transaction would; empty: the digest is another one.
  Optional<Seq> send(RoomDevice from, Outgoing outgoing, Collection<AccountId> members, long ts) {
    List<RoomDevice> targets =
        devices.keySet().stream().filter(d -> members.contains(d.accountId())).toList();
    if (!DeviceLists.digest(targets).equals(outgoing.devices())) {
      return Optional.empty();
    }
    long seq = rooms.merge(outgoing.roomId(), 1L, Long::sum);
    Map<RoomDevice, Opaque> bodies = new HashMap<>();
    outgoing.envelopes().forEach(letter -> bodies.put(letter.device(), letter.body()));
    for (RoomDevice target : targets) {
      if (!target.equals(from)) {
        put(
            target,
            new Received.Envelope(
                next(target),
                EPOCH,
                outgoing.roomId(),
                new Seq(seq),
                from.accountId(),
                from.deviceId(),
                outgoing.clientId(),
                ts,
                bodies.get(target),
                outgoing.payload(),
                outgoing.expiresInS() == null ? null : ts + 1_000L * outgoing.expiresInS()));
      }
    }
    return Optional.of(new Seq(seq));
  }

  QueueSeq next(RoomDevice device) {
    return new QueueSeq(at(device).queue.size() + 1L);
  }

  void put(RoomDevice device, Received received) {
    at(device).queue.add(received);
  }

  List<Received> queueAfter(RoomDevice device, QueueSeq position) {
    List<Received> queue = at(device).queue;
    return List.copyOf(queue.subList((int) position.value(), queue.size()));
  }

  private Directory at(RoomDevice device) {
    return Optional.ofNullable(devices.get(device)).orElseThrow();
  }

  private Optional<RoomDevice> find(AccountId account, DeviceId device) {
    return devices.keySet().stream()
        .filter(place -> place.accountId().equals(account) && place.deviceId().equals(device))
        .findFirst();
  }
}
