package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.OwnKeys;
import io.confab.client.SealedCalls;
import io.confab.client.sealed.LetterTo;
import io.confab.client.sealed.RoomDevice;
import io.confab.client.sealed.Warning;
import io.confab.protocol.AccountId;
import io.confab.protocol.Opaque;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Begins sessions with the devices that are to read, by keys that the server hands out. A server
/// hands out few a day for each device, so one that gave none is left alone for an hour.
final class Claims {
  private static final int DEVICES_A_CALL = 1_000;
  private static final Duration REST = Duration.ofHours(1);

  private final ServerCalls calls;
  private final DeviceThread device;
  private final Letters letters;
  private final Consumer<Warning> warned;
  private final InstantSource clock;
  private final Map<RoomDevice, Instant> resting = new HashMap<>();

  Claims(
      ServerCalls calls,
      DeviceThread device,
      Letters letters,
      Consumer<Warning> warned,
      InstantSource clock) {
    this.calls = calls;
    this.device = device;
    this.letters = letters;
    this.warned = warned;
    this.clock = clock;
  }

  /// There are sessions with all devices of these accounts that are believed and gave keys, and
  /// those with which one began anew know it. Who gives none keeps nobody waiting; fails where the
  /// server may answer later.
  Future<Void> ready(Collection<AccountId> accounts) {
    return device
        .ask(own -> own.toClaim(accounts))
        .compose(devices -> claim(rested(devices)))
        .compose(_ -> tell(accounts));
  }

  /// There is a session with this device, believed or not, if it gave a key.
  Future<Void> begin(RoomDevice with) {
    return claim(List.of(with));
  }

  private List<RoomDevice> rested(List<RoomDevice> devices) {
    Instant now = clock.instant();
    resting.values().removeIf(until -> !until.isAfter(now));
    return devices.stream().filter(one -> !resting.containsKey(one)).toList();
  }

  private Future<Void> claim(List<RoomDevice> devices) {
    if (devices.isEmpty()) {
      return Future.succeededFuture();
    }
    int page = Math.min(DEVICES_A_CALL, devices.size());
    List<RoomDevice> asked = devices.subList(0, page);
    return calls
        .claim(asked)
        .compose(keys -> begin(asked, keys))
        .recover(failure -> passOver(failure, asked))
        .compose(_ -> claim(devices.subList(page, devices.size())));
  }

  private Future<Void> passOver(Throwable failure, List<RoomDevice> asked) {
    if (failure instanceof ApiException refusal && refusal.status() > 0 && !refusal.retryable()) {
      rest(asked);
      return Future.succeededFuture();
    }
    return Future.failedFuture(failure);
  }

  private Future<Void> begin(List<RoomDevice> asked, List<OwnKeys.Claimed> keys) {
    Map<OwnKeys.DeviceName, Opaque> given = new HashMap<>();
    for (OwnKeys.Claimed claimed : keys) {
      if (claimed.key() != null) {
        given.put(new OwnKeys.DeviceName(claimed.accountId(), claimed.deviceId()), claimed.key());
      }
    }
    return device
        .ask(
            own -> {
              List<RoomDevice> without = new ArrayList<>();
              List<Warning> warnings = new ArrayList<>();
              for (RoomDevice one : asked) {
                Opaque key = given.get(new OwnKeys.DeviceName(one.accountId(), one.deviceId()));
                Optional<Warning> warning =
                    key == null
                        ? Optional.empty()
                        : own.claimed(one.accountId(), one.deviceId(), key);
                warning.ifPresent(warnings::add);
                if (key == null || warning.isPresent()) {
                  without.add(one);
                }
              }
              return new Begun(without, warnings);
            })
        .onSuccess(
            begun -> {
              rest(begun.without());
              begun.warnings().forEach(warned);
            })
        .mapEmpty();
  }

  /// @param without those with which there is no session all the same
  private record Begun(List<RoomDevice> without, List<Warning> warnings) {}

  private void rest(Collection<RoomDevice> devices) {
    Instant until = clock.instant().plus(REST);
    devices.forEach(one -> resting.put(one, until));
  }

  /// What is not told now is told before the next line. Of others it is not known whether they are
  /// still there.
  private Future<Void> tell(Collection<AccountId> accounts) {
    return device
        .ask(
            own ->
                own.toTell().stream()
                    .filter(owed -> accounts.contains(owed.accountId()))
                    .limit(DEVICES_A_CALL)
                    .map(own::dummy)
                    .toList())
        .compose(dummies -> dummies.isEmpty() ? Future.succeededFuture() : send(dummies))
        .otherwiseEmpty();
  }

  /// One device that is gone keeps all of a call from being told, so they are told by halves then.
  private Future<Void> send(List<LetterTo> dummies) {
    int half = dummies.size() / 2;
    return letters
        .send(dummies)
        .compose(stored -> told(stored, dummies))
        .recover(
            failure ->
                half > 0 && Letters.isOfDevices(failure)
                    ? send(dummies.subList(0, half))
                        .otherwiseEmpty()
                        .compose(_ -> send(dummies.subList(half, dummies.size())))
                    : Future.failedFuture(failure));
  }

  private Future<Void> told(SealedCalls.EnvelopeStored stored, List<LetterTo> dummies) {
    return device.tell(
        own -> {
          List<RoomDevice> full = Letters.full(stored, dummies);
          dummies.stream()
              .map(LetterTo::device)
              .filter(one -> !full.contains(one))
              .forEach(own::told);
        });
  }
}
