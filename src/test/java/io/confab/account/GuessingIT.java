package io.confab.account;

import static io.confab.account.AccountServer.person;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.Secret;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Attacks on passwords from many addresses, over the real API and the real accounts.
@ExtendWith(VertxExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class GuessingIT {
  private static final String RIGHT = "correct horse";
  private static final String HOME = "198.51.100.1";

  /// Of a handle, and an hour more for the next one.
  private static final int ALLOWANCE = 100;

  private AccountServer server;
  private int handles;

  @BeforeAll
  void open(Vertx vertx) {
    server = new AccountServer(vertx);
  }

  @AfterAll
  void close() {
    server.close();
  }

  private String signedUp() {
    String handle = "victim" + ++handles;
    server.call(201, "POST", "/v1/accounts", person(handle, RIGHT), from(HOME));
    return handle;
  }

  private static String[] from(String address) {
    return new String[] {"x-forwarded-for", address};
  }

  private static String attacker(int number) {
    return "10.9." + number / 256 + "." + number % 256;
  }

  private int tries(String handle, String password, String... headers) {
    return server.call("POST", "/v1/tokens", person(handle, password), headers).statusCode();
  }

  /// How many of so many guesses, each from another address, are looked at.
  private int guesses(String handle, int number) {
    int judged = 0;
    for (int i = 0; i < number; i++) {
      int status = tries(handle, "wrong horse", from(attacker(i)));
      assertThat(status).isIn(401, 429);
      judged += status == 401 ? 1 : 0;
    }
    return judged;
  }

  @Test
  void theOwnerGetsInFromAKnownAddressWhileManyGuess() {
    String handle = signedUp();
    assertThat(tries(handle, RIGHT, from(HOME))).isEqualTo(200);
    assertThat(tries(handle, "mistyped horse", from(HOME))).isEqualTo(401);
    guesses(handle, ALLOWANCE + 40);
    for (int i = 0; i < 5; i++) {
      tries(handle, "wrong horse", from(attacker(1_000 + i)));
      assertThat(tries(handle, RIGHT, from(HOME))).isEqualTo(200);
    }
  }

  @Test
  void theOwnerGetsInFromAnywhereWithTheCookieOfTheBrowser() {
    String handle = signedUp();
    JsonObject inCookie = person(handle, RIGHT).put("cookie", true);
    String cookie =
        server
            .call("POST", "/v1/tokens", inCookie, from(HOME))
            .headers()
            .firstValue("set-cookie")
            .orElseThrow()
            .split(";", 2)[0];
    guesses(handle, ALLOWANCE + 10);
    String train = "203.0.113.9";
    assertThat(tries(handle, RIGHT, from(train))).isEqualTo(429);
    assertThat(tries(handle, RIGHT, "x-forwarded-for", train, "cookie", cookie)).isEqualTo(200);
  }

  @Test
  void aForeignOrMadeUpCookieMakesNobodyKnown() {
    String handle = signedUp();
    var own = server.accounts.signIn(signedUp(), null).refreshToken().value();
    guesses(handle, ALLOWANCE + 10);
    for (String token : new String[] {own, new Secret("made-up").value(), ""}) {
      String[] headers = {"x-forwarded-for", "203.0.113.9", "cookie", "confab_refresh=" + token};
      assertThat(tries(handle, RIGHT, headers)).isEqualTo(429);
    }
  }

  @Test
  void aKnownDeviceThatGuessesIsSlowedItself() {
    String handle = signedUp();
    assertThat(tries(handle, RIGHT, from(HOME))).isEqualTo(200);
    for (int i = 0; i < 5; i++) {
      assertThat(tries(handle, "wrong horse", from(HOME))).isEqualTo(401);
    }
    waitLong(() -> tries(handle, "wrong horse", from(HOME)));
    assertThat(tries(handle, RIGHT, from(HOME))).isEqualTo(429);
  }

  /// Whoever has got hold of a token has no password by it.
  @Test
  void theRemovalOfTheAccountIsNoOtherWayToGuess() {
    String handle = signedUp();
    String token = "Bearer " + server.accounts.signIn(handle, null).accessToken().value();
    for (int i = 0; i < 5; i++) {
      assertThat(removals(token, "wrong horse")).isEqualTo(400);
    }
    waitLong(() -> removals(token, "wrong horse"));
    assertThat(removals(token, RIGHT)).isEqualTo(429);
    assertThat(tries(handle, RIGHT, from(HOME))).isEqualTo(200);
  }

  /// Each wait is twice the last one: guesses until it is longer than this machine stands still, so
  /// that not one in a row of tries is looked at.
  private static void waitLong(IntSupplier guess) {
    for (int judged = 0; judged < 3; judged++) {
      await().until(() -> guess.getAsInt() != 429);
    }
    await().until(() -> IntStream.range(0, 10).allMatch(_ -> guess.getAsInt() == 429));
  }

  private int removals(String token, String password) {
    JsonObject body = new JsonObject().put("password", password);
    return server.call("DELETE", "/v1/me", body, "authorization", token).statusCode();
  }

  @Test
  void manyAddressesGuessNoMoreThanTheAllowanceWhetherTheHandleIsKnownOrNot() {
    int known = guesses(signedUp(), 400);
    int unknown = guesses("nobody-has-this", 400);
    assertThat(known).isEqualTo(ALLOWANCE);
    assertThat(unknown).isEqualTo(ALLOWANCE);
  }
}
