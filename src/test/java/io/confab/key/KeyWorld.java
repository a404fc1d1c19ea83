package io.confab.key;

import io.confab.config.Config;
import io.confab.key.KeyCommand.ClaimKeys;
import io.confab.key.KeyCommand.DeviceKey;
import io.confab.key.KeyCommand.DeviceName;
import io.confab.key.KeyCommand.KeyUpload;
import io.confab.key.KeyCommand.UploadKeys;
import io.confab.key.KeyStore.Claim;
import io.confab.key.KeyStore.Stored;
import io.confab.postgres.Database;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import io.confab.protocol.Suite;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A node's store of keys, and accounts, sealed rooms and devices for it.
final class KeyWorld implements AutoCloseable {
  private static final int CONNECTIONS = 10;

  private final Database database;
  private final KeyStore store;

  KeyWorld(Vertx vertx, PostgresUrl url, Config.Keys bounds) {
    Duration patience = Duration.ofSeconds(30);
    this.database =
        new Database(
            vertx,
            url,
            new Config.Postgres(
                Optional.empty(), Optional.empty(), 4, CONNECTIONS, patience, patience, patience));
    this.store = new KeyStore(database, bounds);
  }

  /// Accounts `from` to `to` in a sealed room.
  static String sealedRoom(long room, long from, long to) {
    return """
    INSERT INTO account (account_id, handle, display_name)
      SELECT a, 'a' || a, 'A' FROM generate_series(%2$d, %3$d) a ON CONFLICT DO NOTHING;
    INSERT INTO room (room_id, type, name, member_count, encryption_suite, sealed_from_seq, sealed_from_rev)
      VALUES (%1$d, 'group', 'Room', %3$d - %2$d + 1, 'olm1', 1, 1);
    INSERT INTO room_position (room_id) VALUES (%1$d);
    INSERT INTO room_member (room_id, account_id, role)
      SELECT %1$d, a, 'member' FROM generate_series(%2$d, %3$d) a;
    """
        .formatted(room, from, to);
  }

  static String device(long account, String device) {
    return """
    INSERT INTO device (account_id, device_id, name, platform, family_id)
      VALUES (%d, '%s', 'd', 'test', gen_random_uuid());
    """
        .formatted(account, device);
  }

  KeyStore store() {
    return store;
  }

  Database database() {
    return database;
  }

  static List<DeviceKey> keys(String name, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> new DeviceKey("%s%03d".formatted(name, i), new Opaque(name + " key " + i)))
        .toList();
  }

  static Caller caller(long account, String device) {
    return new Caller(new AccountId(account), new DeviceId(device));
  }

  /// A device's first upload, with a fallback key.
  Stored begin(Caller device, int keys) {
    return upload(
        device,
        "identity of " + device.device(),
        new DeviceKey("fallback", new Opaque("the fallback key")),
        keys(device.device().value(), 0, keys));
  }

  Stored upload(
      Caller device,
      @Nullable String identity,
      @Nullable DeviceKey fallback,
      List<DeviceKey> oneTimeKeys) {
    KeyUpload keys =
        new KeyUpload(
            Suite.OLM1, identity == null ? null : new Opaque(identity), fallback, oneTimeKeys);
    return Futures.get(database.transaction(tx -> store.upload(tx, new UploadKeys(device, keys))));
  }

  Future<List<Claim>> claim(long claimer, Caller... devices) {
    return store.claim(
        new ClaimKeys(
            new AccountId(claimer),
            Stream.of(devices).map(d -> new DeviceName(d.account(), d.device())).toList()));
  }

  static Config.Keys bounds() {
    return TestConfig.keys();
  }

  @Override
  public void close() {
    Futures.get(database.close());
  }
}
