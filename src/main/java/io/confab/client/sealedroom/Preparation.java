package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.sealed.KeyLetters;
import io.confab.client.sealed.Outgoing;
import io.confab.client.sealed.SealedDevice;
import io.confab.client.sealed.Warning;
import io.confab.protocol.ErrorCode;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Function;

/// Seals a line for those who are in its room now, on a device that is signed: learns who they are,
/// begins sessions with them, and keeps what is to be sent before it is.
final class Preparation {
  private final Roster roster;
  private final Claims claims;
  private final Letters letters;
  private final DeviceThread device;
  private final Consumer<Warning> warned;
  private final InstantSource clock;

  Preparation(
      Roster roster,
      Claims claims,
      Letters letters,
      DeviceThread device,
      Consumer<Warning> warned,
      InstantSource clock) {
    this.roster = roster;
    this.claims = claims;
    this.letters = letters;
    this.device = device;
    this.warned = warned;
    this.clock = clock;
  }

  /// What is to be sent; the same again for a line that is on its way.
  Future<Outgoing> of(SealedSend send) {
    return roster
        .of(send.room())
        .compose(
            members ->
                admit(send, members)
                    .compose(_ -> claims.ready(members.accounts()))
                    .compose(_ -> tellKeys(send, members))
                    .compose(_ -> seal(send, members)));
  }

  /// Nothing is sealed for a room of two in which somebody else is.
  private Future<Void> admit(SealedSend send, Members members) {
    return ofSigned(own -> own.admit(send.room(), members.accounts(), members.peer()))
        .compose(
            admitted -> {
              admitted.warnings().forEach(warned);
              return admitted.allowed()
                  ? Future.succeededFuture()
                  : Future.failedFuture(
                      ApiException.local(
                          ErrorCode.INTERNAL.wire(),
                          "the server names somebody else in this room of two"));
            });
  }

  /// Nobody believes a device that is not signed. What the server tells of the own account is
  /// learned with the others of the room, so after an absence this one knows it before it seals.
  private <T> Future<T> ofSigned(Function<SealedDevice, T> question) {
    return device.ask(
        own -> {
          if (!own.isSigned()) {
            throw Attendance.absent();
          }
          return question.apply(own);
        });
  }

  /// A key that came with a line would go with it, and the lines after it could not be read.
  private Future<Void> tellKeys(SealedSend send, Members members) {
    if (members.expiresInS() == null) {
      return Future.succeededFuture();
    }
    return device
        .ask(
            own ->
                own.keyLetters(
                    send.room(), members.accounts(), members.rotation(), clock.instant()))
        .compose(keys -> keys.letters().isEmpty() ? Future.succeededFuture() : tellKeys(keys));
  }

  private Future<Void> tellKeys(KeyLetters keys) {
    return letters
        .send(keys.letters())
        .compose(
            stored ->
                device.tell(
                    own ->
                        own.gotKey(
                            keys, Letters.full(stored, keys.letters()), stored.duplicate())));
  }

  private Future<Outgoing> seal(SealedSend send, Members members) {
    return ofSigned(
        own ->
            own.prepare(
                send.room(),
                send.clientId(),
                send.text(),
                members.accounts(),
                members.rotation(),
                members.expiresInS(),
                clock.instant()));
  }
}
