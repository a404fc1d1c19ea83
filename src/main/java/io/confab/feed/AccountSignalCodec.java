package io.confab.feed;

import static io.confab.feed.BinaryFields.id;
import static io.confab.feed.BinaryFields.join;
import static io.confab.feed.BinaryFields.readText;
import static io.confab.feed.BinaryFields.text;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Fence;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.RoomId;
import io.confab.protocol.WireName;
import java.nio.ByteBuffer;
import java.util.Optional;

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
    };
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
      case RENAMED -> Optional.of(new AccountSignal.Renamed(account, new AccountId(in.getLong())));
      default -> Optional.empty();
    };
  }
}
