package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.OwnKeys;
import io.confab.client.QueuedEnvelope;
import io.confab.client.Refusals;
import io.confab.client.SealedCalls;
import io.confab.client.sealed.LetterTo;
import io.confab.client.sealed.Outgoing;
import io.confab.client.sealed.PublicKey;
import io.confab.client.sealed.Publication;
import io.confab.client.sealed.RoomDevice;
import io.confab.client.sealed.Rotation;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Opaque;
import io.confab.protocol.PresentDevice;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A server with one sealed room, in memory: answers at once, and refuses what a test tells it to.
final class MemoryServer {
  static final RoomId ROOM = new RoomId(5);
  static final Epoch EPOCH = new Epoch(1);
  static final long TS = 1_700_000_000_000L;

  final List<AccountId> members = new ArrayList<>();
  final Map<AccountId, Opaque> identities = new HashMap<>();
  final Map<AccountId, Opaque> vaults = new HashMap<>();
  final List<String> asked = new ArrayList<>();
  final List<Outgoing> sends = new ArrayList<>();
  final List<List<LetterTo>> loose = new ArrayList<>();

  /// What the next calls of a kind are refused with.
  final Map<String, Deque<ApiException>> refusals = new HashMap<>();

  /// Changes the answer to a query.
  UnaryOperator<OwnKeys.Known> told = known -> known;

  /// Until when it lets wait.
  Future<?> answering = Future.succeededFuture();

  /// When what is stored of rooms is acknowledged.
  Future<?> acknowledging = Future.succeededFuture();

  /// What else happens while an answer about the members is on its way.
  Runnable asking = () -> {};

  /// What else happens while letters are on their way.
  Runnable sending = () -> {};

  /// What else happens when an account gets an identity.
  Consumer<AccountId> signed = _ -> {};

  @Nullable Integer expiresInS;

  /// The other one of a room of two.
  @Nullable AccountId peer;

  boolean losesAnswers;

  private final Map<RoomDevice, Directory> devices = new LinkedHashMap<>();
  private final Map<AccountId, Long> versions = new HashMap<>();
  private final Map<ClientId, SealedCalls.EnvelopeStored> stored = new HashMap<>();
  private final Map<OwnKeys.DeviceName, Opaque> uploaded = new HashMap<>();
  private long registrations = 40;
  private long seq;

  private static final class Directory {
    private Opaque identity;
    private final Deque<PublicKey> oneTimeKeys = new ArrayDeque<>();
    private final List<QueuedEnvelope> queue = new ArrayList<>();
    private @Nullable PublicKey fallback;

    private Directory(Opaque identity) {
      this.identity = identity;
    }
  }

  /// What a device asks.
  ServerCalls as(AccountId account, DeviceId device) {
    return new Calls(account, device);
  }

  void refuse(String kind, ApiException... next) {
    refusals.computeIfAbsent(kind, _ -> new ArrayDeque<>()).addAll(List.of(next));
  }

  long count(String kind) {
    return asked.stream().filter(kind::equals).count();
  }

  List<QueuedEnvelope> queue(AccountId account, DeviceId device) {
    return at(account, device).orElseThrow().queue;
  }

  int oneTimeKeys(AccountId account, DeviceId device) {
    return at(account, device).orElseThrow().oneTimeKeys.size();
  }

  void handOut(AccountId account, DeviceId device, int keys) {
    for (int i = 0; i < keys; i++) {
      at(account, device).orElseThrow().oneTimeKeys.remove();
    }
  }

  Opaque fallback(AccountId account, DeviceId device) {
    return Optional.ofNullable(at(account, device).orElseThrow().fallback).orElseThrow().key();
  }

  boolean hasFallback(AccountId account, DeviceId device) {
    return at(account, device).orElseThrow().fallback != null;
  }

  boolean knows(AccountId account, DeviceId device) {
    return at(account, device).isPresent();
  }

  /// The server has another identity of a device than it had.
  void set(AccountId account, DeviceId device, Opaque identity) {
    at(account, device).orElseThrow().identity = identity;
    changed(account);
  }

  void remove(AccountId account, DeviceId device) {
    devices
        .keySet()
        .removeIf(one -> one.accountId().equals(account) && one.deviceId().equals(device));
    changed(account);
  }

  long version(AccountId account) {
    return versions.getOrDefault(account, 0L);
  }

  List<PresentDevice> present() {
    return targets().stream()
        .map(one -> new PresentDevice(one.accountId(), one.deviceId(), one.registrationId()))
        .toList();
  }

  private void changed(AccountId account) {
    versions.merge(account, 1L, Long::sum);
  }

  private Optional<Directory> at(AccountId account, DeviceId device) {
    return devices.entrySet().stream()
        .filter(
            one ->
                one.getKey().accountId().equals(account) && one.getKey().deviceId().equals(device))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private List<RoomDevice> targets() {
    return devices.keySet().stream().filter(one -> members.contains(one.accountId())).toList();
  }

  private String digest() {
    String registrations =
        targets().stream()
            .map(RoomDevice::registrationId)
            .sorted()
            .map(RegistrationId::toString)
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

  private final class Calls implements ServerCalls {
    private final AccountId account;
    private final DeviceId device;

    private Calls(AccountId account, DeviceId device) {
      this.account = account;
      this.device = device;
    }

    private Optional<ApiException> refusal(String kind) {
      asked.add(kind);
      return Optional.ofNullable(refusals.get(kind)).map(Deque::poll);
    }

    private <T> Future<T> answer(String kind, Supplier<T> answer) {
      return refusal(kind)
          .<Future<T>>map(Future::failedFuture)
          .orElseGet(() -> answering.map(_ -> answer.get()));
    }

    @Override
    public Future<Members> members(RoomId room) {
      return answer(
          "members",
          () -> {
            Members now =
                new Members(
                    List.copyOf(members), Rotation.GROUP, expiresInS, Optional.ofNullable(peer));
            asking.run();
            return now;
          });
    }

    @Override
    public Future<OwnKeys.Known> query(Collection<AccountId> accounts) {
      return answer(
          "query",
          () -> told.apply(new OwnKeys.Known(accounts.stream().map(this::keys).toList(), null)));
    }

    private OwnKeys.Keys keys(AccountId of) {
      List<OwnKeys.Device> listed = new ArrayList<>();
      devices.forEach(
          (place, directory) -> {
            if (place.accountId().equals(of)) {
              listed.add(
                  new OwnKeys.Device(
                      place.deviceId(), place.registrationId(), "olm1", directory.identity));
            }
          });
      return new OwnKeys.Keys(of, version(of), identities.get(of), listed);
    }

    @Override
    public Future<List<OwnKeys.Claimed>> claim(Collection<RoomDevice> wanted) {
      return answer("claim", () -> wanted.stream().map(this::claimed).toList());
    }

    private OwnKeys.Claimed claimed(RoomDevice of) {
      Directory directory = devices.get(of);
      PublicKey key =
          directory == null
              ? null
              : Optional.ofNullable(directory.oneTimeKeys.poll()).orElse(directory.fallback);
      return new OwnKeys.Claimed(
          of.accountId(),
          of.deviceId(),
          key == null ? null : key.id(),
          key == null ? null : key.key(),
          false,
          null);
    }

    /// Whether these are the bytes that the device had at first, also where it was removed since,
    /// or those that it has.
    private boolean takes(Opaque identity) {
      Opaque before =
          uploaded.computeIfAbsent(new OwnKeys.DeviceName(account, device), _ -> identity);
      return identity.equals(before)
          || at(account, device).filter(there -> there.identity.equals(identity)).isPresent();
    }

    @Override
    public Future<Long> publish(Publication publication, boolean first) {
      if (first && !takes(publication.identity())) {
        return Future.failedFuture(Refusals.of(ErrorCode.CONFLICT, "identity"));
      }
      return answer(
          "publish",
          () -> {
            if (at(account, device).isEmpty()) {
              devices.put(
                  new RoomDevice(account, device, new RegistrationId(++registrations)),
                  new Directory(publication.identity()));
            }
            Directory directory = at(account, device).orElseThrow();
            directory.fallback = publication.fallback().orElse(directory.fallback);
            directory.oneTimeKeys.addAll(publication.oneTimeKeys());
            changed(account);
            return (long) directory.oneTimeKeys.size();
          });
    }

    @Override
    public Future<Void> sign(Opaque identity) {
      return answer(
              "sign",
              () -> {
                identities.put(account, identity);
                signed.accept(account);
                return identity;
              })
          .mapEmpty();
    }

    @Override
    public Future<Void> signDevice(DeviceId of, Opaque identity) {
      return answer(
              "signDevice",
              () -> {
                at(account, of).orElseThrow().identity = identity;
                changed(account);
                return identity;
              })
          .mapEmpty();
    }

    @Override
    public Future<Optional<Opaque>> vault() {
      return answer("vault", () -> Optional.ofNullable(vaults.get(account)));
    }

    @Override
    public Future<Void> keepVault(Opaque vault) {
      return answer("keepVault", () -> Optional.ofNullable(vaults.put(account, vault))).mapEmpty();
    }

    @Override
    public Future<SealedCalls.EnvelopeStored> send(Outgoing outgoing) {
      sends.add(outgoing);
      Optional<ApiException> refusal = refusal("send");
      if (refusal.isPresent()) {
        return Future.failedFuture(refusal.get());
      }
      SealedCalls.EnvelopeStored before = stored.get(outgoing.clientId());
      if (before != null) {
        return Future.succeededFuture(
            new SealedCalls.EnvelopeStored(
                before.roomId(), before.clientId(), before.seq(), before.ts(), true, List.of()));
      }
      if (!outgoing.devices().equals(digest())) {
        return Future.failedFuture(Refusals.mismatch(present()));
      }
      store(outgoing.clientId(), new Seq(++seq));
      for (RoomDevice target : targets()) {
        put(target, outgoing.clientId(), new Seq(seq), outgoing.envelopes(), outgoing.payload());
      }
      return acknowledging.compose(_ -> answered(outgoing.clientId()));
    }

    @Override
    public Future<SealedCalls.EnvelopeStored> sendLoose(ClientId clientId, List<LetterTo> letters) {
      loose.add(letters);
      sending.run();
      Optional<ApiException> refusal = refusal("loose");
      if (refusal.isPresent()) {
        return Future.failedFuture(refusal.get());
      }
      if (letters.stream().anyMatch(letter -> !devices.containsKey(letter.device()))) {
        return Future.failedFuture(Refusals.of(ErrorCode.DEVICE_MISMATCH));
      }
      if (!stored.containsKey(clientId)) {
        store(clientId, null);
        letters.forEach(letter -> put(letter.device(), clientId, null, letters, null));
      }
      return answered(clientId);
    }

    private void store(ClientId clientId, @Nullable Seq at) {
      stored.put(
          clientId,
          new SealedCalls.EnvelopeStored(
              at == null ? null : ROOM, clientId, at, TS, false, List.of()));
    }

    private Future<SealedCalls.EnvelopeStored> answered(ClientId clientId) {
      if (losesAnswers) {
        losesAnswers = false;
        return Future.failedFuture(Refusals.unreachable());
      }
      return Future.succeededFuture(stored.get(clientId));
    }

    private void put(
        RoomDevice target,
        ClientId clientId,
        @Nullable Seq at,
        List<LetterTo> letters,
        @Nullable Opaque payload) {
      if (target.accountId().equals(account) && target.deviceId().equals(device)) {
        return;
      }
      List<QueuedEnvelope> queue = queue(target.accountId(), target.deviceId());
      queue.add(
          new QueuedEnvelope.Content(
              new QueueSeq(queue.size() + 1),
              EPOCH,
              at == null ? null : ROOM,
              at,
              account,
              device,
              clientId,
              TS,
              letters.stream()
                  .filter(letter -> letter.device().equals(target))
                  .map(LetterTo::body)
                  .findFirst()
                  .orElse(null),
              payload,
              null));
    }

    @Override
    public Future<List<SealedCalls.Delivery>> deliveries(RoomId room, Seq from) {
      return Future.failedFuture(Refusals.of(ErrorCode.NOT_FOUND));
    }
  }
}
