package io.confab.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.Passwords.Place;
import io.confab.config.Config;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Secret;
import io.confab.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// One thread, which takes long for each password.
@ExtendWith(VertxExtension.class)
@Timeout(60)
class PasswordsTest {
  private static final Secret PASSWORD = new Secret("correct horse");

  private Passwords passwords;

  @BeforeEach
  void open(Vertx vertx) {
    passwords = new Passwords(vertx, new Config.Argon2(16_384, 1, 1, 1), new SecureRandom());
  }

  @AfterEach
  void close() {
    passwords.close();
  }

  private List<Future<HashedPassword>> crowd(int number, boolean known) {
    List<Future<HashedPassword>> all = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      all.add(
          passwords.hash(
              PASSWORD, known ? Place.known("u" + i % 200) : Place.stranger("n" + i % 200)));
    }
    return all;
  }

  @Test
  void strangersWhoFillTheLineKeepNobodyOutWhoIsKnown() {
    List<Future<HashedPassword>> strangers = crowd(200, false);
    Future<Long> behind =
        passwords
            .hash(PASSWORD, Place.known("owner"))
            .map(_ -> strangers.stream().filter(each -> !each.isComplete()).count());
    assertThat(Futures.get(behind)).isPositive();
    assertThat(strangers.stream().filter(Future::failed))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(Futures.refusal(each)).isEqualTo(ErrorCode.UNAVAILABLE));
  }

  @Test
  void fewAddressesThatFillTheLineKeepNobodyOut() {
    for (int i = 0; i < 200; i++) {
      passwords.hash(PASSWORD, Place.stranger("attacker " + i % 20));
    }
    Futures.get(passwords.hash(PASSWORD, Place.stranger("victim")));
  }

  @Test
  void theKnownKeepNoStrangersOut() {
    crowd(200, true);
    Futures.get(passwords.hash(PASSWORD, Place.stranger("stranger")));
  }

  @Test
  void anAccountHasTheNameOfNobodyElse() {
    assertThat(
            Stream.of(Place.known("backend"), Place.stranger("backend"), Place.internal("backend")))
        .doesNotHaveDuplicates();
  }
}
