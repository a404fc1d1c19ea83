package io.confab.feed;

import static io.confab.feed.BinaryFields.id;
import static io.confab.feed.BinaryFields.join;
import static io.confab.feed.BinaryFields.readText;
import static io.confab.feed.BinaryFields.text;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.FailureReason;
import io.confab.protocol.Fence;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.SessionId;
import io.confab.protocol.WireName;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The binary form of an account's signals, without the account: a byte that says which, then
/// texts and ids of the record in its order.
final class AccountSignalCodec {
  private static final byte ADDED = 16;
  private static final byte REMOVED = 17;
  private static final byte REVOKED = 18;
  private static final byte SIGN_INS_ENDED = 20;
  private static final byte RENAMED = 21;
  private static final byte DISPLACED = 22;
  private static final byte DEVICES_CHANGED = 23;
  private static final byte INVITED = 24;
  private static final byte OTHER_DEVICES_CHANGED = 25;
  private static final byte KEYS_LOW = 26;
  private static final byte MARKER_MOVED = 32;
  private static final byte OTHERS_READ = 33;
  private static final byte UNREAD_CHANGED = 34;
  private static final byte PRESENCE_CHANGED = 40;
  private static final byte STATUS_TEXT_CHANGED = 41;
  private static final byte STATUS_SET = 42;
  private static final byte VISIBILITY_CHANGED = 43;
  private static final byte SEAT_CHANGED = 48;
  private static final byte UNDELIVERED = 56;
  private static final byte QUEUED = 57;

  private static final byte[] NONE = {0};
  private static final byte[] SOME = {1};

  private AccountSignalCodec() {}

  static byte[] write(AccountSignal signal) {
    return switch (signal) {
      case AccountSignal.Added(AccountId _, RoomId room) -> form(ADDED, id(room.value()));
      case AccountSignal.Removed(AccountId _, RoomId room, LeaveReason reason) ->
          form(REMOVED, id(room.value()), text(reason.wire()));
      case AccountSignal.Invited(AccountId _, RoomId room) -> form(INVITED, id(room.value()));
      case AccountSignal.Revoked(AccountId _, DeviceId device) ->
          form(REVOKED, text(device.value()));
      case AccountSignal.Displaced(AccountId _, DeviceId device, Fence fence) ->
          form(DISPLACED, text(device.value()), text(fence.text()));
      case AccountSignal.SignInsEnded _ -> form(SIGN_INS_ENDED);
      case AccountSignal.Renamed(AccountId _, AccountId renamed) ->
          form(RENAMED, id(renamed.value()));
      case AccountSignal.DevicesChanged(AccountId _, long version) ->
          form(DEVICES_CHANGED, id(version));
      case AccountSignal.OtherDevicesChanged(AccountId _, AccountId changed, long version) ->
          form(OTHER_DEVICES_CHANGED, id(changed.value()), id(version));
      case AccountSignal.KeysLow(AccountId _, DeviceId device, long oneTimeKeys) ->
          form(KEYS_LOW, text(device.value()), id(oneTimeKeys));
      case AccountSignal.MarkerMoved(
              AccountId _,
              RoomId room,
              Seq read,
              Seq delivered,
              Seq unreadFrom,
              long version,
              SessionId by) ->
          form(
              MARKER_MOVED,
              id(room.value()),
              id(read.value()),
              id(delivered.value()),
              id(unreadFrom == null ? 0 : unreadFrom.value()),
              id(version),
              text(by == null ? "" : by.value()));
      case AccountSignal.OthersRead(AccountId _, RoomId room, Seq read, Seq delivered, Rev asOf) ->
          form(
              OTHERS_READ,
              id(room.value()),
              id(read.value()),
              id(delivered.value()),
              id(asOf.value()));
      case AccountSignal.UnreadChanged(
              AccountId _,
              RoomId room,
              long unread,
              long mentions,
              long total,
              Seq seq,
              Rev asOf,
              long version) ->
          form(
              UNREAD_CHANGED,
              id(room.value()),
              id(unread),
              id(mentions),
              id(total),
              id(seq.value()),
              id(asOf.value()),
              id(version));
      case AccountSignal.PresenceChanged(AccountId _, var status, long seenAt, long version) ->
          form(PRESENCE_CHANGED, text(status.wire()), id(seenAt), id(version));
      case AccountSignal.StatusTextChanged(AccountId _, String text, long version) ->
          form(STATUS_TEXT_CHANGED, text(text), id(version));
      case AccountSignal.StatusSet(AccountId _, var status, long number) ->
          form(STATUS_SET, text(status.wire()), id(number));
      case AccountSignal.VisibilityChanged _ -> form(VISIBILITY_CHANGED);
      case AccountSignal.SeatChanged(AccountId _, RoomId room, SeatNews news, GivenSeat seat) ->
          form(SEAT_CHANGED, id(room.value()), text(news == null ? "" : news.wire()), given(seat));
      case AccountSignal.Undelivered(
              AccountId _,
              RoomId room,
              Seq seq,
              AccountId reader,
              FailureReason reason) ->
          form(
              UNDELIVERED,
              id(room.value()),
              id(seq.value()),
              id(reader.value()),
              text(reason.wire()));
      case AccountSignal.Queued _ -> form(QUEUED);
    };
  }

  private static byte[] given(@Nullable GivenSeat seat) {
    return seat == null
        ? NONE
        : join(SOME, id(seat.inside()), id(seat.capacity()), id(seat.began()), id(seat.version()));
  }

  private static byte[] form(byte kind, byte[]... fields) {
    return join(new byte[] {kind}, join(fields));
  }

  /// Empty when it is of an unknown kind.
  static Optional<AccountSignal> read(AccountId account, ByteBuffer in) {
    return switch (in.get()) {
      case ADDED -> Optional.of(new AccountSignal.Added(account, new RoomId(in.getLong())));
      case INVITED -> Optional.of(new AccountSignal.Invited(account, new RoomId(in.getLong())));
      case REMOVED -> {
        RoomId room = new RoomId(in.getLong());
        yield WireName.find(LeaveReason.class, readText(in))
            .map(why -> new AccountSignal.Removed(account, room, why));
      }
      case REVOKED -> Optional.of(new AccountSignal.Revoked(account, new DeviceId(readText(in))));
      case DISPLACED -> {
        DeviceId device = new DeviceId(readText(in));
        Fence fence = Fence.parse(readText(in));
        yield Optional.of(new AccountSignal.Displaced(account, device, fence));
      }
      case SIGN_INS_ENDED -> Optional.of(new AccountSignal.SignInsEnded(account));
      case DEVICES_CHANGED -> Optional.of(new AccountSignal.DevicesChanged(account, in.getLong()));
      case OTHER_DEVICES_CHANGED ->
          Optional.of(
              new AccountSignal.OtherDevicesChanged(
                  account, new AccountId(in.getLong()), in.getLong()));
      case KEYS_LOW ->
          Optional.of(new AccountSignal.KeysLow(account, new DeviceId(readText(in)), in.getLong()));
      case RENAMED -> Optional.of(new AccountSignal.Renamed(account, new AccountId(in.getLong())));
      case MARKER_MOVED -> Optional.of(readMarker(account, in));
      case OTHERS_READ ->
          Optional.of(
              new AccountSignal.OthersRead(
                  account, new RoomId(in.getLong()), readSeq(in), readSeq(in), readRev(in)));
      case UNREAD_CHANGED ->
          Optional.of(
              new AccountSignal.UnreadChanged(
                  account,
                  new RoomId(in.getLong()),
                  in.getLong(),
                  in.getLong(),
                  in.getLong(),
                  readSeq(in),
                  readRev(in),
                  in.getLong()));
      case PRESENCE_CHANGED ->
          status(in)
              .map(
                  status ->
                      new AccountSignal.PresenceChanged(
                          account, status, in.getLong(), in.getLong()));
      case STATUS_TEXT_CHANGED ->
          Optional.of(new AccountSignal.StatusTextChanged(account, readText(in), in.getLong()));
      case STATUS_SET ->
          status(in).map(status -> new AccountSignal.StatusSet(account, status, in.getLong()));
      case VISIBILITY_CHANGED -> Optional.of(new AccountSignal.VisibilityChanged(account));
      case SEAT_CHANGED ->
          Optional.of(
              new AccountSignal.SeatChanged(
                  account,
                  new RoomId(in.getLong()),
                  WireName.find(SeatNews.class, readText(in)).orElse(null),
                  readGiven(in)));
      case UNDELIVERED -> {
        RoomId room = new RoomId(in.getLong());
        Seq seq = readSeq(in);
        AccountId reader = new AccountId(in.getLong());
        yield WireName.find(FailureReason.class, readText(in))
            .map(reason -> new AccountSignal.Undelivered(account, room, seq, reader, reason));
      }
      case QUEUED -> Optional.of(new AccountSignal.Queued(account));
      default -> Optional.empty();
    };
  }

  private static AccountSignal readMarker(AccountId account, ByteBuffer in) {
    RoomId room = new RoomId(in.getLong());
    Seq read = readSeq(in);
    Seq delivered = readSeq(in);
    Seq unreadFrom = readSeq(in);
    long version = in.getLong();
    String by = readText(in);
    return new AccountSignal.MarkerMoved(
        account,
        room,
        read,
        delivered,
        unreadFrom.equals(Seq.ZERO) ? null : unreadFrom,
        version,
        by.isEmpty() ? null : new SessionId(by));
  }

  private static @Nullable GivenSeat readGiven(ByteBuffer in) {
    return in.get() == SOME[0]
        ? new GivenSeat(in.getLong(), in.getLong(), in.getLong(), in.getLong())
        : null;
  }

  private static Seq readSeq(ByteBuffer in) {
    return new Seq(in.getLong());
  }

  private static Rev readRev(ByteBuffer in) {
    return new Rev(in.getLong());
  }

  private static Optional<PresenceStatus> status(ByteBuffer in) {
    return WireName.find(PresenceStatus.class, readText(in));
  }
}
