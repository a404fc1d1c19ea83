package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.QueueEvent;
import io.confab.client.RoomSignal;
import io.confab.client.RoomUpdate;
import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.KnownSeal;
import io.confab.client.sealed.LinkCode;
import io.confab.client.sealed.LinkStep;
import io.confab.client.sealed.ListedDevice;
import io.confab.client.sealed.RecoveryKey;
import io.confab.client.sealed.RoomDevice;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.Trust;
import io.confab.client.sealedroom.Fate;
import io.confab.client.sealedroom.SealedRecovery;
import io.confab.client.sealedroom.SealedRooms;
import io.confab.client.sealedroom.SealedState;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sealed rooms as far as the device of a window takes part in them: by itself not at all. What it
/// is asked is what [SealedRooms] is asked.
interface SealedAccess {
  private static <T> Future<T> none() {
    return Future.failedFuture(
        ApiException.local(ApiException.CLOSED, "nothing is sealed or opened here"));
  }

  /// What the client tells of the queue of the device.
  default void queued(QueueEvent event) {}

  /// What the client tells of rooms, and so the next.
  default void signalled(RoomSignal signal) {}

  default void updated(RoomUpdate update) {}

  default Future<SealedLine> say(RoomId room, String text) {
    return none();
  }

  default Future<Void> sealed(RoomId room, KnownSeal seal) {
    return none();
  }

  default Future<Optional<KnownSeal>> seal(RoomId room) {
    return none();
  }

  default Future<List<SealedLine>> lines(RoomId room, @Nullable Seq before, int most) {
    return Future.succeededFuture(List.of());
  }

  default Future<List<SealedLine>> search(@Nullable RoomId room, String words, int most) {
    return none();
  }

  default void seen(RoomId room, Seq from, Seq upTo) {}

  default Future<Void> follow(RoomId room, Seq from) {
    return none();
  }

  default Future<Fate> fate(RoomId room, Seq seq) {
    return none();
  }

  default Future<Trust> trust(AccountId account) {
    return none();
  }

  /// Whether it is the own account, whose other identity nobody is to accept.
  default boolean isOwn(AccountId account) {
    return false;
  }

  default Future<Void> accept(AccountId account) {
    return none();
  }

  default Future<List<ListedDevice>> devices(AccountId account) {
    return none();
  }

  default Future<Comparison> verify(AccountId account) {
    return none();
  }

  default Future<Optional<Comparison>> matches(RoomDevice with, String id, boolean same) {
    return none();
  }

  /// Whether this device is to get the identity of the account by its recovery key.
  default Future<Boolean> isToRecover() {
    return Future.succeededFuture(false);
  }

  default Future<Optional<SealedRecovery.Present>> vault() {
    return none();
  }

  /// Whether a recovery key may open something here: this device has no identity, and there is a
  /// vault of the account that is not of a former one.
  default Future<Boolean> asksForKey() {
    return isToRecover()
        .compose(
            is ->
                is
                    ? vault().map(vault -> vault.filter(there -> !there.isFormer()).isPresent())
                    : Future.succeededFuture(false));
  }

  default Future<Optional<RecoveryKey>> newRecoveryKey() {
    return none();
  }

  default Future<SealedRecovery.Opened> recover(RecoveryKey key) {
    return none();
  }

  default Future<Optional<SealedState>> resetIdentity() {
    return none();
  }

  default Future<LinkCode> offerLink() {
    return none();
  }

  default Future<Boolean> isLinkLocked() {
    return none();
  }

  default Future<Optional<LinkStep>> typeLink(LinkCode code) {
    return none();
  }

  default Future<Optional<LinkStep>> decideLink(boolean yes) {
    return none();
  }

  /// Ends it, and lets go of the device.
  default Future<Void> close() {
    return Future.succeededFuture();
  }

  /// Without a device.
  record Absent() implements SealedAccess {}

  /// With one.
  record Present(SealedRooms rooms, AccountId account) implements SealedAccess {
    @Override
    public boolean isOwn(AccountId asked) {
      return asked.equals(account);
    }

    @Override
    public void queued(QueueEvent event) {
      rooms.queued(event);
    }

    @Override
    public void signalled(RoomSignal signal) {
      rooms.signalled(signal);
    }

    @Override
    public void updated(RoomUpdate update) {
      rooms.updated(update);
    }

    @Override
    public Future<SealedLine> say(RoomId room, String text) {
      return rooms.say(room, text);
    }

    @Override
    public Future<Void> sealed(RoomId room, KnownSeal seal) {
      return rooms.sealed(room, seal);
    }

    @Override
    public Future<Optional<KnownSeal>> seal(RoomId room) {
      return rooms.seal(room);
    }

    @Override
    public Future<List<SealedLine>> lines(RoomId room, @Nullable Seq before, int most) {
      return rooms.lines(room, before, most);
    }

    @Override
    public Future<List<SealedLine>> search(@Nullable RoomId room, String words, int most) {
      return rooms.search(room, words, most);
    }

    @Override
    public void seen(RoomId room, Seq from, Seq upTo) {
      rooms.seen(room, from, upTo);
    }

    @Override
    public Future<Void> follow(RoomId room, Seq from) {
      return rooms.follow(room, from);
    }

    @Override
    public Future<Fate> fate(RoomId room, Seq seq) {
      return rooms.fate(room, seq);
    }

    @Override
    public Future<Trust> trust(AccountId account) {
      return rooms.people().trust(account);
    }

    @Override
    public Future<Void> accept(AccountId account) {
      return rooms.people().accept(account);
    }

    @Override
    public Future<List<ListedDevice>> devices(AccountId account) {
      return rooms.people().devices(account);
    }

    @Override
    public Future<Comparison> verify(AccountId account) {
      return rooms.people().verify(account);
    }

    @Override
    public Future<Optional<Comparison>> matches(RoomDevice with, String id, boolean same) {
      return rooms.people().matches(with, id, same);
    }

    @Override
    public Future<Boolean> isToRecover() {
      return rooms.recovery().hasIdentity().map(has -> !has);
    }

    @Override
    public Future<Optional<SealedRecovery.Present>> vault() {
      return rooms.recovery().vault();
    }

    @Override
    public Future<Optional<RecoveryKey>> newRecoveryKey() {
      return rooms.recovery().make();
    }

    @Override
    public Future<SealedRecovery.Opened> recover(RecoveryKey key) {
      return rooms.recovery().open(key);
    }

    @Override
    public Future<Optional<SealedState>> resetIdentity() {
      return rooms.recovery().reset();
    }

    @Override
    public Future<LinkCode> offerLink() {
      return rooms.links().offer();
    }

    @Override
    public Future<Boolean> isLinkLocked() {
      return rooms.links().isLocked();
    }

    @Override
    public Future<Optional<LinkStep>> typeLink(LinkCode code) {
      return rooms.links().type(code);
    }

    @Override
    public Future<Optional<LinkStep>> decideLink(boolean yes) {
      return rooms.links().decide(yes);
    }

    @Override
    public Future<Void> close() {
      return rooms.close();
    }
  }
}
