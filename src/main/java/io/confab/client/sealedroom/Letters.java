package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.SealedCalls;
import io.confab.client.sealed.LetterTo;
import io.confab.client.sealed.RoomDevice;
import io.confab.protocol.ClientId;
import io.confab.protocol.ErrorCode;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/// Sends letters without a room: what devices tell each other, and keys that must outlast a line.
/// While nobody knows what became of them, the same bytes go again.
final class Letters {
  private static final int TRIES = 5;

  private final ServerCalls calls;
  private final Roster roster;
  private final Retries retries;

  Letters(ServerCalls calls, Roster roster, Retries retries) {
    this.calls = calls;
    this.roster = roster;
    this.retries = retries;
  }

  /// @param letters one for each device
  Future<SealedCalls.EnvelopeStored> send(List<LetterTo> letters) {
    return send(letters, TRIES, () -> true);
  }

  /// The same for what is waited for so long.
  Future<SealedCalls.EnvelopeStored> sendWhile(BooleanSupplier waits, List<LetterTo> letters) {
    return send(letters, Integer.MAX_VALUE, waits);
  }

  private Future<SealedCalls.EnvelopeStored> send(
      List<LetterTo> letters, int tries, BooleanSupplier waits) {
    ClientId clientId = new ClientId(UUID.randomUUID().toString());
    return retries
        .run(
            () -> calls.sendLoose(clientId, letters),
            tries,
            refusal -> refusal.retryable() && !isOfDevices(refusal) && waits.getAsBoolean())
        .onFailure(
            failure -> {
              if (isOfDevices(failure)) {
                roster.doubt(letters.stream().map(letter -> letter.device().accountId()).toList());
              }
            });
  }

  /// The devices of the letters that got nothing since their queues were full.
  static List<RoomDevice> full(SealedCalls.EnvelopeStored stored, Collection<LetterTo> letters) {
    return letters.stream()
        .map(LetterTo::device)
        .filter(
            device ->
                stored.full().stream()
                    .anyMatch(
                        full ->
                            full.accountId().equals(device.accountId())
                                && full.deviceId().equals(device.deviceId())))
        .toList();
  }

  /// One of the devices is not there any more; the server does not say which.
  static boolean isOfDevices(Throwable failure) {
    return failure instanceof ApiException refusal
        && (refusal.is(ErrorCode.DEVICE_MISMATCH) || refusal.is(ErrorCode.INVALID_FIELD));
  }
}
