package io.confab.client.sealedroom;

import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.client.Member;
import io.confab.client.OwnKeys;
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
import io.confab.protocol.Opaque;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.Suite;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The calls of a [ConfabApi], in the words of a [io.confab.client.sealed.SealedDevice].
final class ApiCalls implements ServerCalls {
  private static final String DIRECT = "direct";

  private final ConfabApi api;
  private final Executor loop;

  ApiCalls(ConfabApi api, Executor loop) {
    this.api = api;
    this.loop = loop;
  }

  @Override
  public Future<Members> members(RoomId room) {
    return onLoop(
        api.room(room).compose(found -> api.members(room).map(members -> members(found, members))));
  }

  private static Members members(ChatRoom room, List<Member> members) {
    return new Members(
        members.stream().map(Member::accountId).toList(),
        room.type().equals(DIRECT) ? Rotation.DIRECT : Rotation.GROUP,
        room.expiresInS(),
        Optional.ofNullable(room.peerId()).filter(_ -> room.type().equals(DIRECT)));
  }

  @Override
  public Future<OwnKeys.Known> query(Collection<AccountId> accounts) {
    return onLoop(api.keys().query(accounts));
  }

  @Override
  public Future<List<OwnKeys.Claimed>> claim(Collection<RoomDevice> devices) {
    List<OwnKeys.DeviceName> names =
        devices.stream()
            .map(device -> new OwnKeys.DeviceName(device.accountId(), device.deviceId()))
            .toList();
    return onLoop(api.keys().claim(names));
  }

  @Override
  public Future<Long> publish(Publication publication, boolean first) {
    Opaque identity = first ? publication.identity() : null;
    OwnKeys.@Nullable Key fallback = publication.fallback().map(ApiCalls::key).orElse(null);
    List<OwnKeys.Key> keys = publication.oneTimeKeys().stream().map(ApiCalls::key).toList();
    return onLoop(api.keys().publish(Suite.OLM1, identity, fallback, keys))
        .map(OwnKeys.Published::oneTimeKeys);
  }

  private static OwnKeys.Key key(PublicKey key) {
    return new OwnKeys.Key(key.id(), key.key());
  }

  @Override
  public Future<Void> sign(Opaque identity) {
    return onLoop(api.keys().sign(identity, Map.of())).mapEmpty();
  }

  @Override
  public Future<Void> signDevice(DeviceId device, Opaque identity) {
    return onLoop(api.keys().sign(null, Map.of(device, identity))).mapEmpty();
  }

  @Override
  public Future<Optional<Opaque>> vault() {
    return onLoop(api.keys().vault());
  }

  @Override
  public Future<Void> keepVault(Opaque vault) {
    return onLoop(api.keys().keepVault(vault));
  }

  @Override
  public Future<SealedCalls.EnvelopeStored> send(Outgoing outgoing) {
    return onLoop(
        api.sealed()
            .send(
                outgoing.roomId(),
                new SealedCalls.EnvelopeSend(
                    outgoing.clientId(),
                    outgoing.devices(),
                    outgoing.payload(),
                    letters(outgoing.envelopes()),
                    false,
                    outgoing.expiresInS())));
  }

  @Override
  public Future<SealedCalls.EnvelopeStored> sendLoose(ClientId clientId, List<LetterTo> letters) {
    return onLoop(api.sealed().sendLoose(clientId, letters(letters)));
  }

  private static List<SealedCalls.Letter> letters(List<LetterTo> letters) {
    return letters.stream()
        .map(
            letter ->
                new SealedCalls.Letter(
                    letter.device().accountId(),
                    letter.device().deviceId(),
                    letter.device().registrationId(),
                    letter.body()))
        .toList();
  }

  @Override
  public Future<List<SealedCalls.Delivery>> deliveries(RoomId room, Seq from) {
    return onLoop(api.sealed().deliveries(room, from));
  }

  private <T> Future<T> onLoop(Future<T> answer) {
    Promise<T> here = Promise.promise();
    answer.onComplete(outcome -> loop.execute(() -> here.handle(outcome)));
    return here.future();
  }
}
