package io.confab.client.sealedroom;

import io.confab.client.sealed.LinkCode;
import io.confab.client.sealed.LinkStep;
import io.vertx.core.Future;
import java.util.Optional;

/// Linking to another device of the account: the new one shows a code, the person types it on one
/// that takes part and says yes there, and the new one gets the identity, keys of rooms and lines;
/// made by [SealedRooms#links]. Each step is told to the listener. As its calls, these may come
/// from any thread.
public final class SealedLinks {
  private final SealedLoop loop;
  private final Linking linking;

  SealedLinks(SealedLoop loop, Linking linking) {
    this.loop = loop;
    this.linking = linking;
  }

  /// Makes a code for this device as the new one, good for one answer and for ten minutes. Fails
  /// as `not_found` where the account has no other device that takes part.
  public Future<LinkCode> offer() {
    return loop.ask(linking::offer);
  }

  /// The person typed the code of a device that asked; empty: none did, or too many wrong codes
  /// were typed.
  public Future<Optional<LinkStep>> type(LinkCode code) {
    return loop.ask(() -> linking.type(code));
  }

  /// Whether so many wrong codes were typed that none is taken for a while.
  public Future<Boolean> isLocked() {
    return loop.ask(linking::isLocked);
  }

  /// The person says whether the device that has the code gets everything; empty: none has.
  public Future<Optional<LinkStep>> decide(boolean yes) {
    return loop.ask(() -> linking.decide(yes));
  }
}
