package io.confab.http;

import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;
import static io.vertx.core.http.HttpMethod.PUT;

import io.confab.bus.Bus;
import io.confab.config.Config;
import io.confab.key.KeyCommand.ChangeIdentity;
import io.confab.key.KeyCommand.ClaimKeys;
import io.confab.key.KeyCommand.DeviceIdentity;
import io.confab.key.KeyCommand.DeviceKey;
import io.confab.key.KeyCommand.DeviceName;
import io.confab.key.KeyCommand.KeepVault;
import io.confab.key.KeyCommand.KeyUpload;
import io.confab.key.KeyCommand.QueryKeys;
import io.confab.key.KeyCommand.ReadVault;
import io.confab.key.KeyCommand.UploadKeys;
import io.confab.key.KeyCommand.Uploaded;
import io.confab.key.KeyCommand.Vault;
import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Fields;
import io.confab.protocol.Opaque;
import io.confab.protocol.Refusal;
import io.confab.protocol.Suite;
import io.confab.protocol.TextRules;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Keys of devices, identities and vaults; for callers on a device alone, since a backend has none.
record KeyRoutes(Bus bus, Limits limits, Config.Keys bounds) {
  private static final int MOST_ACCOUNTS = 256;
  private static final int MOST_DEVICES = 1_000;

  void mount(Routes routes) {
    routes.onDevice(PUT, "/v1/me/keys", Limit.KEY_UPLOADS, this::upload);
    routes.onDevice(PUT, "/v1/me/identity", Limit.IDENTITIES, this::changeIdentity);
    routes.onDevice(GET, "/v1/me/vault", Limit.READS, this::readVault);
    routes.onDevice(PUT, "/v1/me/vault", Limit.KEY_UPLOADS, this::keepVault);
    routes.onDevice(POST, "/v1/keys/query", Limit.KEY_QUERIES, this::query);
    routes.onDevice(POST, "/v1/keys/claim", Limit.KEY_CLAIMS, this::claim);
  }

  /// A device that begins to have keys is told to many, as another identity is.
  private Future<Answer> upload(Caller caller, Call call) {
    Fields fields = call.body();
    Suite suite = fields.choice("suite", Suite.class);
    Opaque identity = Opaque.readOptional(fields, "identity", bounds.identityBytes());
    Fields fallback = fields.optionalObject("fallback_key");
    KeyUpload keys =
        new KeyUpload(
            suite, identity, fallback == null ? null : key(fallback), oneTimeKeys(fields));
    fields.end();
    String who = caller.account().toString();
    if (identity != null) {
      limits.check(Limit.IDENTITIES, who);
    }
    return bus.request(new UploadKeys(caller, keys))
        .onSuccess(
            uploaded -> {
              if (uploaded.began()) {
                limits.count(Limit.IDENTITIES, who);
              }
            })
        .map(Kept::of)
        .map(Answer::ok);
  }

  /// What an upload is answered.
  record Kept(long registrationId, long oneTimeKeys) {
    static Kept of(Uploaded uploaded) {
      return new Kept(uploaded.registrationId(), uploaded.oneTimeKeys());
    }
  }

  private DeviceKey key(Fields fields) {
    String id = TextRules.clientMade(fields.path("id"), fields.text("id"));
    Opaque key = Opaque.read(fields, "key", bounds.keyBytes());
    fields.end();
    return new DeviceKey(id, key);
  }

  private List<DeviceKey> oneTimeKeys(Fields fields) {
    List<DeviceKey> keys = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (Fields one : fields.objects("one_time_keys", bounds.oneTimeKeys())) {
      DeviceKey key = key(one);
      if (!ids.add(key.id())) {
        throw twice(one.path("id"));
      }
      keys.add(key);
    }
    return keys;
  }

  private static Refusal twice(String field) {
    return Refusal.invalidField(field, "is named twice");
  }

  private Future<Answer> changeIdentity(Caller caller, Call call) {
    Fields fields = call.body();
    Opaque identity = Opaque.readOptional(fields, "identity", bounds.identityBytes());
    List<DeviceIdentity> devices = new ArrayList<>();
    fields
        .textsByName("devices", bounds.devices())
        .forEach(
            (device, signed) -> {
              String path = fields.path("devices." + device);
              devices.add(
                  new DeviceIdentity(
                      new DeviceId(TextRules.clientMade(path, device)),
                      Opaque.checked(path, signed, bounds.identityBytes())));
            });
    fields.end();
    return bus.request(new ChangeIdentity(caller.account(), identity, devices)).map(Answer::ok);
  }

  private Future<Answer> readVault(Caller caller, Call call) {
    return bus.request(new ReadVault(caller.account())).map(Answer::ok);
  }

  private Future<Answer> keepVault(Caller caller, Call call) {
    Fields fields = call.body();
    Opaque vault = Opaque.read(fields, "vault", bounds.vaultBytes());
    fields.end();
    return bus.request(new KeepVault(caller.account(), vault))
        .map(_ -> Answer.ok(new Vault(vault)));
  }

  private Future<Answer> query(Caller caller, Call call) {
    Fields fields = call.body();
    require(fields, "accounts");
    List<AccountId> accounts = new ArrayList<>();
    Set<AccountId> once = new HashSet<>();
    for (String id : fields.texts("accounts", MOST_ACCOUNTS)) {
      String path = fields.path("accounts[" + accounts.size() + "]");
      accounts.add(account(path, id));
      if (!once.add(accounts.getLast())) {
        throw twice(path);
      }
    }
    fields.end();
    count(Limit.KEY_QUERIES, caller, accounts.size());
    return bus.request(new QueryKeys(caller.account(), accounts)).map(Answer::ok);
  }

  private Future<Answer> claim(Caller caller, Call call) {
    Fields fields = call.body();
    require(fields, "devices");
    List<DeviceName> devices = new ArrayList<>();
    Set<DeviceName> once = new HashSet<>();
    for (Fields one : fields.objects("devices", MOST_DEVICES)) {
      AccountId account = account(one.path("account_id"), one.text("account_id"));
      String device = TextRules.clientMade(one.path("device_id"), one.text("device_id"));
      one.end();
      devices.add(new DeviceName(account, new DeviceId(device)));
      if (!once.add(devices.getLast())) {
        throw twice(fields.path("devices[" + (devices.size() - 1) + "]"));
      }
    }
    fields.end();
    count(Limit.KEY_CLAIMS, caller, devices.size());
    return bus.request(new ClaimKeys(caller.account(), devices)).map(Answer::ok);
  }

  private static void require(Fields fields, String name) {
    if (!fields.has(name)) {
      throw Refusal.invalidField(fields.path(name), "is missing");
    }
  }

  private static AccountId account(String field, String id) {
    try {
      return AccountId.parse(id);
    } catch (Refusal _) {
      throw Refusal.invalidField(field, "must be an account_id");
    }
  }

  /// Counts as one call for each of them, also beyond the limit: the next ones wait, also those
  /// that were let in before their bodies came. So each is let in once more, by the one call that
  /// it has counted as so far.
  private void count(Limit limit, Caller caller, int times) {
    String who = caller.account().toString();
    limits.giveBack(limit, who);
    limits.check(limit, who);
    limits.count(limit, who, Math.max(1, times));
  }
}
