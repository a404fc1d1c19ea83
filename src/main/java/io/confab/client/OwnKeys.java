package io.confab.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.Suite;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Keys for sealed rooms: those that this device publishes, and those of the people in these rooms.
/// As every call, [ConfabApi] says how they fail.
public final class OwnKeys {
  private static final String IDENTITY = "identity";
  private static final String VAULT = "/v1/me/vault";

  private final SignedCalls signed;

  OwnKeys(SignedCalls signed) {
    this.signed = signed;
  }

  /// @param id the device's choice
  public record Key(String id, Opaque key) {}

  /// @param oneTimeKeys how many of the device wait to be handed out
  public record Published(RegistrationId registrationId, long oneTimeKeys) {}

  /// Publishes keys of this device; harmless when repeated.
  ///
  /// @param identity needed the first time, and never another one
  public Future<Published> publish(
      Suite suite, @Nullable Opaque identity, @Nullable Key fallback, List<Key> oneTimeKeys) {
    ObjectNode body = ClientJson.object().put("suite", suite.wire());
    if (identity != null) {
      body.put(IDENTITY, identity.value());
    }
    if (fallback != null) {
      body.set("fallback_key", ClientJson.write(fallback));
    }
    ArrayNode keys = body.putArray("one_time_keys");
    oneTimeKeys.forEach(key -> keys.add(ClientJson.write(key)));
    return signed.ask(HttpAsk.repeatable(HttpMethod.PUT, "/v1/me/keys", body), Published.class);
  }

  /// @param version rises with each change of the account's devices and their keys
  private record Version(long version) {}

  /// Changes the identity of the account, unless it is null, and adds signatures to identities of
  /// its devices; answers the version of these.
  public Future<Long> sign(@Nullable Opaque identity, Map<DeviceId, Opaque> devices) {
    ObjectNode body = ClientJson.object();
    if (identity != null) {
      body.put(IDENTITY, identity.value());
    }
    ObjectNode signatures = body.putObject("devices");
    devices.forEach((device, signature) -> signatures.put(device.value(), signature.value()));
    return signed
        .ask(HttpAsk.repeatable(HttpMethod.PUT, "/v1/me/identity", body), Version.class)
        .map(Version::version);
  }

  /// What the account keeps for itself.
  public Future<Optional<Opaque>> vault() {
    return signed
        .ask(HttpAsk.get(VAULT))
        .map(answer -> Optional.ofNullable(answer.get("vault")))
        .map(found -> found.map(text -> new Opaque(text.textValue())));
  }

  public Future<Void> keepVault(Opaque vault) {
    ObjectNode body = ClientJson.object().put("vault", vault.value());
    return signed.ask(HttpAsk.repeatable(HttpMethod.PUT, VAULT, body)).mapEmpty();
  }

  /// @param identity of the account; absent: it has none
  public record Keys(
      AccountId accountId, long version, @Nullable Opaque identity, List<Device> devices) {}

  /// @param suite as the server names it; this client may not know it
  public record Device(
      DeviceId deviceId, RegistrationId registrationId, String suite, Opaque identity) {}

  /// @param rest those of which the answer had no room: ask for them again
  public record Known(List<Keys> accounts, @Nullable List<AccountId> rest) {}

  /// The devices of at most 256 accounts; those that the account may not see are left out.
  public Future<Known> query(Collection<AccountId> accounts) {
    ObjectNode body = ClientJson.object();
    ArrayNode list = body.putArray("accounts");
    accounts.forEach(account -> list.add(account.toString()));
    return signed.ask(HttpAsk.repeatable(HttpMethod.POST, "/v1/keys/query", body), Known.class);
  }

  public record DeviceName(AccountId accountId, DeviceId deviceId) {}

  /// @param key absent, as `id`: the device has none left
  /// @param fallback true: others have the same
  /// @param error why there is none, of the catalogue
  public record Claimed(
      AccountId accountId,
      DeviceId deviceId,
      @Nullable String id,
      @Nullable Opaque key,
      boolean fallback,
      @Nullable String error) {}

  /// Takes a key of each of at most 1,000 devices; those without keys, and those that the account
  /// may not see, are left out. What was taken is spent even when the answer is lost, so it is not
  /// asked twice.
  public Future<List<Claimed>> claim(Collection<DeviceName> devices) {
    ObjectNode body = ClientJson.object();
    ArrayNode list = body.putArray("devices");
    devices.forEach(device -> list.add(ClientJson.write(device)));
    return SignedCalls.understood(
        signed
            .ask(HttpAsk.once(HttpMethod.POST, "/v1/keys/claim", body))
            .map(answer -> ClientJson.list(answer, "keys", Claimed.class)));
  }
}
