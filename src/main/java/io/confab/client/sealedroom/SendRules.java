package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.PresentDevice;
import io.confab.time.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is done about one send that was refused, or of which nobody knows what became.
///
/// The server keeps the `client_id` and what came with it only when it stores a send. So after an
/// unknown outcome the same bytes go again and no others, while after `device_mismatch` the id is
/// free for others.
final class SendRules {
  /// So often a send is made anew without a pause.
  static final int MISMATCHES = 8;

  private static final int CONFLICTS = 3;
  private static final Duration LONGEST_MUTED = Duration.ofMinutes(1);

  private final Backoff backoff;
  private int failures;
  private int mismatches;
  private int conflicts;
  private boolean astray;
  private @Nullable Mismatch last;
  private boolean unknown;

  /// @param unknown whether the server may have it already
  SendRules(Backoff backoff, boolean unknown) {
    this.backoff = backoff;
    this.unknown = unknown;
  }

  /// @param devices what the sender took for the devices, as a digest
  private record Mismatch(String devices, Set<PresentDevice> present) {}

  /// What comes next.
  sealed interface Next {
    /// The same bytes.
    record Again(Duration pause) implements Next {}

    /// The same text, sealed for the devices that are there now.
    record Anew(Duration pause) implements Next {}

    /// The same bytes, as soon as the own queue is open, or after the pause.
    record WhenOpened(Duration most) implements Next {}

    /// Nothing for now: the server may have it already, and this client cannot ask any more.
    record Kept(ApiException why) implements Next {}

    /// Nothing: it failed for good.
    record Over(ApiException why) implements Next {}
  }

  /// Who reads, and with which keys, could not be learned, so nothing was sent yet.
  Next unmade(ApiException failure) {
    return failure.retryable() ? new Next.Anew(pause(failures++, failure)) : new Next.Over(failure);
  }

  /// @param devices the digest that was sent
  Next refused(ApiException refusal, String devices) {
    Optional<ErrorCode> known = refusal.known();
    if (known.isEmpty()) {
      return again(refusal);
    }
    return switch (known.get()) {
      case DEVICE_MISMATCH -> mismatch(refusal, devices);
      case INVALID_FIELD -> field(refusal);
      case CONFLICT -> conflict(refusal);
      default -> again(refusal);
    };
  }

  /// Who is muted for long is told so, and keeps the text. What fails on this side after an unknown
  /// outcome says nothing of the server.
  private Next again(ApiException refusal) {
    if (refusal.retryable() && !isLong(refusal)) {
      unknown |= refusal.is(ErrorCode.INTERNAL) || refusal.status() == 0;
      return new Next.Again(pause(failures++, refusal));
    }
    if (!unknown) {
      return new Next.Over(refusal);
    }
    if (refusal.code().equals(ApiException.CLOSED) || refusal.is(ErrorCode.UNAUTHORIZED)) {
      return new Next.Kept(refusal);
    }
    return refusal.status() == 0
        ? new Next.Again(pause(failures++, refusal))
        : new Next.Over(refusal);
  }

  private static boolean isLong(ApiException refusal) {
    return refusal.is(ErrorCode.MUTED)
        && refusal.retryAfter().filter(span -> span.compareTo(LONGEST_MUTED) > 0).isPresent();
  }

  /// That the server and this client disagree twice in the same way will not change by itself.
  private Next mismatch(ApiException refusal, String devices) {
    Mismatch now = new Mismatch(devices, Set.copyOf(refusal.devices()));
    if (now.equals(last)) {
      return new Next.Over(
          ApiException.local(
              ErrorCode.INTERNAL.wire(),
              "the server names other devices of this room than it tells the keys of"));
    }
    last = now;
    mismatches++;
    return new Next.Anew(
        mismatches <= MISMATCHES ? Duration.ZERO : pause(mismatches - MISMATCHES, refusal));
  }

  /// A body for a device that does not get the send: it went between asking and sending.
  private Next field(ApiException refusal) {
    boolean bodies = refusal.field().filter("envelopes"::equals).isPresent();
    if (!bodies || astray) {
      return new Next.Over(refusal);
    }
    astray = true;
    return new Next.Anew(Duration.ZERO);
  }

  /// A device that was away for long opens its queue first. Other conflicts, such as a room that is
  /// archived, look the same, and stay.
  private Next conflict(ApiException refusal) {
    return conflicts < CONFLICTS
        ? new Next.WhenOpened(pause(conflicts++, refusal))
        : new Next.Over(refusal);
  }

  private Duration pause(int before, ApiException refusal) {
    Duration least = refusal.retryAfter().orElse(Duration.ZERO);
    Duration drawn = backoff.delay(before);
    return drawn.compareTo(least) > 0 ? drawn : least;
  }
}
