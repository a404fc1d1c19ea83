package io.confab.client.sealedroom;

import io.confab.client.OwnKeys;
import io.confab.client.SealedCalls;
import io.confab.client.sealed.LetterTo;
import io.confab.client.sealed.Outgoing;
import io.confab.client.sealed.Publication;
import io.confab.client.sealed.RoomDevice;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// What a device of sealed rooms asks of its server over HTTP. Answers come to the loop; all fail
/// as [io.confab.client.ConfabApi] says.
interface ServerCalls {
  Future<Members> members(RoomId room);

  /// The devices of at most 256 accounts.
  Future<OwnKeys.Known> query(Collection<AccountId> accounts);

  /// A key of each of at most 1,000 devices.
  Future<List<OwnKeys.Claimed>> claim(Collection<RoomDevice> devices);

  /// Answers how many one-time keys wait at the server.
  ///
  /// @param first whether the identity goes along, which it does once
  Future<Long> publish(Publication publication, boolean first);

  /// Sets the identity of the account.
  Future<Void> sign(Opaque identity);

  /// Adds a signature to the identity of a device of the account, which has keys at the server.
  Future<Void> signDevice(DeviceId device, Opaque identity);

  /// The vault of the account.
  Future<Optional<Opaque>> vault();

  Future<Void> keepVault(Opaque vault);

  Future<SealedCalls.EnvelopeStored> send(Outgoing outgoing);

  Future<SealedCalls.EnvelopeStored> sendLoose(ClientId clientId, List<LetterTo> letters);

  Future<List<SealedCalls.Delivery>> deliveries(RoomId room, Seq from);
}
