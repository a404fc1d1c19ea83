package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.confab.account.Passwords;
import io.confab.account.Passwords.Place;
import io.confab.account.ServerRole;
import io.confab.bus.Bus;
import io.confab.bus.Peer;
import io.confab.bus.Peers;
import io.confab.listener.ClientAddress;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.confab.testing.TestConfig;
import io.confab.testing.TestLimits;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What costs nothing is checked before anything is hashed, or anybody asked: here nobody hashes
/// and nobody answers.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class PasswordCallsTest {
  private static final ClientAddress HOME = ClientAddress.parse("192.0.2.1").orElseThrow();
  private static final Secret GOOD = new Secret("correct horse");
  private static final String CONTROL = "a\u0007b";

  private PasswordCalls calls;

  @BeforeEach
  void open(Vertx vertx) {
    Passwords passwords = new Passwords(vertx, TestConfig.accounts().argon2(), new SecureRandom());
    passwords.close();
    Bus bus = new Bus(vertx, Peers.alone(new Peer(new NodeId("node"), Map.of())));
    calls =
        new PasswordCalls(
            bus,
            passwords,
            TestLimits.of(TestConfig.node(Path.of("unused"))).signIns(),
            TestConfig.accounts());
  }

  private static @Nullable String refusedField(ThrowingCallable call) {
    return catchThrowableOfType(Refusal.class, call).field().orElse(null);
  }

  @Test
  void ofANewAccount() {
    assertThat(refusedField(() -> calls.signUp(HOME, "no handle", GOOD, null))).isEqualTo("handle");
    assertThat(refusedField(() -> calls.signUp(HOME, "ada", new Secret("short"), null)))
        .isEqualTo("password");
    assertThat(refusedField(() -> calls.signUp(HOME, "ada", GOOD, CONTROL)))
        .isEqualTo("display_name");
  }

  @Test
  void ofAnAccountThatABackendMakes() {
    Place backend = Place.internal("backend");
    assertThat(refusedField(() -> calls.hash(backend, "ada", GOOD, CONTROL, ServerRole.USER)))
        .isEqualTo("display_name");
    assertThat(refusedField(() -> calls.hash(backend, "ada", GOOD, null, ServerRole.BOT)))
        .isEqualTo("password");
  }

  @Test
  void ofTheDeviceThatSignsIn() {
    assertThat(refusedField(() -> signIn(new DeviceInfo(null, CONTROL, "p"))))
        .isEqualTo("device.name");
    assertThat(refusedField(() -> signIn(new DeviceInfo(null, "n", CONTROL))))
        .isEqualTo("device.platform");
    assertThat(refusedField(() -> signIn(new DeviceInfo(new DeviceId(CONTROL), "n", "p"))))
        .isEqualTo("device.device_id");
  }

  private void signIn(DeviceInfo device) {
    calls.signIn(HOME, "ada", GOOD, device, Optional.empty());
  }
}
