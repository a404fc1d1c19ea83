package io.confab.client.sealed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What another device of the account is to know, but for keys of rooms and lines: the secrets of
/// the identity, whose identities are pinned, and which rooms are sealed.
final class Belongings {
  /// So many fit into a vault; verified people come first. A device that is linked gets all.
  static final int MOST_PINS = 350;

  static final int MOST_ROOMS = 250;

  private static final String IDENTITY = "identity";
  private static final String PINS = "pins";
  private static final String ROOMS = "rooms";

  private final AccountId account;
  private final DeviceAccount own;
  private final OwnIdentity identity;
  private final Pins pins;
  private final Lines lines;
  private final RoomReaders readers;
  private final Repairs repairs;

  Belongings(
      DeviceAccount own,
      AccountId account,
      OwnIdentity identity,
      Pins pins,
      Lines lines,
      RoomReaders readers,
      Repairs repairs) {
    this.own = own;
    this.account = account;
    this.identity = identity;
    this.pins = pins;
    this.lines = lines;
    this.readers = readers;
    this.repairs = repairs;
  }

  /// Whether this device has the identity: that of which the server tells, where it tells of
  /// another one than this device made.
  boolean has(Changes changes) {
    Optional<AccountIdentity> told = pins.latest(changes, account);
    return identity
        .identity(changes)
        .filter(mine -> told.filter(now -> now.master().equals(mine.master())).isPresent())
        .isPresent();
  }

  /// The identity of this device, which has one.
  AccountIdentity identity(Changes changes) {
    return identity.identity(changes).orElseThrow();
  }

  /// Whether the server tells of another master key of the account than this one.
  boolean isFormer(Changes changes, String master) {
    return pins.latest(changes, account).filter(now -> !now.master().equals(master)).isPresent();
  }

  /// Whether this device has an identity that its account does not have: that of another device
  /// came first, or the server tells of another one since.
  boolean isOutdated(Changes changes) {
    return identity.identity(changes).isPresent() && !mayGive(changes);
  }

  /// Whether this device has the identity and is signed by it, so that others may get it from here.
  boolean mayGive(Changes changes) {
    return has(changes) && pins.sign(changes, own.identity(changes));
  }

  /// Makes the identity of this device that of the account, whatever the server tells of: the one
  /// that it has, or another one. This device signs itself.
  AccountIdentity establish(Changes changes) {
    AccountIdentity mine = identity.identity(changes).orElseGet(() -> identity.create(changes));
    adopt(changes, mine);
    return mine;
  }

  private void adopt(Changes changes, AccountIdentity mine) {
    pins.own(changes, mine);
    own.signed(changes, identity.sign(changes, own.identity(changes)).orElseThrow());
    repairs.forgetBroken(changes);
  }

  /// For another device, as much as fits into a vault; this one has the identity.
  ObjectNode pack(Changes changes) {
    ObjectNode first = SealedJson.object();
    first.set(IDENTITY, identity.secrets(changes));
    fill(first, people(changes), rooms(changes), 0);
    return first;
  }

  /// People and rooms, where there are more than fit into a vault: all of them, by as many.
  List<ObjectNode> packMore(Changes changes) {
    List<ArrayNode> people = people(changes);
    List<ArrayNode> rooms = rooms(changes);
    int parts = Math.max(parts(people, MOST_PINS), parts(rooms, MOST_ROOMS));
    List<ObjectNode> all = new ArrayList<>();
    for (int i = 0; parts > 1 && i < parts; i++) {
      ObjectNode part = SealedJson.object();
      fill(part, people, rooms, i);
      all.add(part);
    }
    return all;
  }

  private static int parts(List<?> all, int most) {
    return (all.size() + most - 1) / most;
  }

  private static void fill(
      ObjectNode into, List<ArrayNode> people, List<ArrayNode> rooms, int part) {
    into.putArray(PINS).addAll(part(people, part, MOST_PINS));
    into.putArray(ROOMS).addAll(part(rooms, part, MOST_ROOMS));
  }

  private static List<ArrayNode> part(List<ArrayNode> all, int part, int most) {
    return all.stream().skip((long) part * most).limit(most).toList();
  }

  private List<ArrayNode> people(Changes changes) {
    return pins.pinned(changes).stream()
        .filter(pinned -> !pinned.account().equals(account))
        .map(
            pinned ->
                SealedJson.list()
                    .add(pinned.account().toString())
                    .add(pinned.master())
                    .add(pinned.verified()))
        .toList();
  }

  private List<ArrayNode> rooms(Changes changes) {
    return lines.sealedRooms(changes).stream()
        .map(
            room -> {
              ArrayNode packed = SealedJson.list();
              pack(changes, room, packed);
              return packed;
            })
        .toList();
  }

  private void pack(Changes changes, RoomId room, ArrayNode into) {
    KnownSeal seal = lines.seal(changes, room).orElseThrow();
    into.add(room.toString()).add(seal.suite()).add(seal.from().value());
    readers.peer(changes, room).ifPresent(peer -> into.add(peer.toString()));
  }

  /// Takes what another device of the account packed: this one signs itself. Doubts: MALFORMED,
  /// BAD_KEY, CHANGED_IDENTITY where the server tells of another identity; nothing is taken then.
  void unpack(Changes changes, ObjectNode all) {
    Known given = known(all);
    OwnIdentity.Taken taken = identity.check(SealedJson.object(all, IDENTITY));
    Optional<AccountIdentity> told = pins.latest(changes, account);
    if (told.filter(known -> !known.master().equals(taken.identity().master())).isPresent()) {
      throw new Untrusted(Doubt.CHANGED_IDENTITY);
    }
    identity.take(changes, taken);
    adopt(changes, taken.identity());
    take(changes, given);
  }

  /// Takes people and rooms from the device that gave the identity. Doubt: MALFORMED.
  void unpackMore(Changes changes, ObjectNode more) {
    take(changes, known(more));
  }

  private void take(Changes changes, Known given) {
    given.people().forEach(one -> pins.vouch(changes, one));
    for (SealedRoom one : given.rooms()) {
      lines.sealed(changes, one.room(), one.seal());
      one.peer().ifPresent(peer -> readers.keepPeer(changes, one.room(), peer));
    }
  }

  private record Known(List<Pinned> people, List<SealedRoom> rooms) {}

  private static Known known(ObjectNode all) {
    List<Pinned> people = new ArrayList<>();
    SealedJson.array(all, PINS).forEach(one -> people.add(pinned(one)));
    List<SealedRoom> rooms = new ArrayList<>();
    SealedJson.array(all, ROOMS).forEach(one -> rooms.add(room(one)));
    return new Known(people, rooms);
  }

  private record SealedRoom(RoomId room, KnownSeal seal, Optional<AccountId> peer) {}

  private static Pinned pinned(JsonNode one) {
    return new Pinned(
        parsed(one.path(0), AccountId::parse), text(one.path(1)), one.path(2).asBoolean());
  }

  private static SealedRoom room(JsonNode one) {
    JsonNode from = one.path(2);
    if (!from.canConvertToLong() || from.longValue() < 0) {
      throw new Untrusted(Doubt.MALFORMED);
    }
    return new SealedRoom(
        parsed(one.path(0), RoomId::parse),
        new KnownSeal(text(one.path(1)), new Seq(from.longValue())),
        one.has(3) ? Optional.of(parsed(one.path(3), AccountId::parse)) : Optional.empty());
  }

  private static <T> T parsed(JsonNode id, Function<String, T> parse) {
    try {
      return parse.apply(text(id));
    } catch (Refusal _) {
      throw new Untrusted(Doubt.MALFORMED);
    }
  }

  private static String text(JsonNode value) {
    if (!value.isTextual()) {
      throw new Untrusted(Doubt.MALFORMED);
    }
    return value.textValue();
  }
}
