package io.confab.client;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.DeviceInfo;
import io.confab.protocol.Opaque;
import io.confab.protocol.Secret;
import io.confab.protocol.Suite;
import io.confab.scenario.Nodes;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The calls about keys against a server.
@Timeout(120)
class OwnKeysIT {
  private static final Secret PASSWORD = new Secret("correct horse");

  @Test
  void aDeviceOfOnePersonTakesTheKeyOfAnothers() {
    try (Nodes nodes = Nodes.start(1)) {
      ConfabApi ann = api(nodes, "ann");
      ConfabApi bob = api(nodes, "bob");
      Credentials phone = get(ann.credentials());
      get(ann.createGroup("Tea", null, List.of(get(bob.credentials()).accountId())));
      nodes
          .database()
          .execute(
              "UPDATE room SET encryption_suite = 'olm1', sealed_from_seq = 1, sealed_from_rev = 1");
      OwnKeys.Key one = new OwnKeys.Key("one", new Opaque("key one"));
      OwnKeys.Key fallback = new OwnKeys.Key("fall", new Opaque("the fallback"));
      Opaque identity = new Opaque("identity");

      OwnKeys.Published published =
          get(ann.keys().publish(Suite.OLM1, identity, fallback, List.of(one)));
      assertThat(published.oneTimeKeys()).isEqualTo(1);
      Opaque account = new Opaque("account");
      Opaque signed = new Opaque("signed");
      long version = get(ann.keys().sign(account, Map.of(phone.deviceId(), signed)));

      OwnKeys.Known known = get(bob.keys().query(List.of(phone.accountId())));
      assertThat(known.rest()).isNull();
      assertThat(known.accounts())
          .containsExactly(
              new OwnKeys.Keys(
                  phone.accountId(),
                  version,
                  account,
                  List.of(
                      new OwnKeys.Device(
                          phone.deviceId(), published.registrationId(), "olm1", signed))));
      OwnKeys.DeviceName name = new OwnKeys.DeviceName(phone.accountId(), phone.deviceId());
      assertThat(get(bob.keys().claim(List.of(name))))
          .containsExactly(
              new OwnKeys.Claimed(
                  name.accountId(), name.deviceId(), "one", one.key(), false, null));
      assertThat(get(bob.keys().claim(List.of(name))))
          .containsExactly(
              new OwnKeys.Claimed(
                  name.accountId(), name.deviceId(), "fall", fallback.key(), true, null));

      assertThat(get(ann.keys().vault())).isEmpty();
      get(ann.keys().keepVault(account));
      assertThat(get(ann.keys().vault())).contains(account);
      ann.close();
      bob.close();
    }
  }

  private static ConfabApi api(Nodes nodes, String handle) {
    ConfabApi api =
        new ConfabApi(
            nodes.vertx(),
            List.of(URI.create("http://127.0.0.1:" + nodes.port(0))),
            CredentialStore.memory());
    get(api.signUp(handle, PASSWORD, null));
    get(api.signIn(handle, PASSWORD, new DeviceInfo(null, "test", "test")));
    return api;
  }
}
