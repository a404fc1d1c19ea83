package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand.SignOut;
import io.confab.account.AccountCommand.SignedOut;
import io.confab.account.AccountCommand.Tokens;
import io.confab.config.TlsMode;
import io.confab.protocol.Secret;
import io.confab.testing.Position;
import io.confab.testing.TestConfig;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a browser is told about the cookie with the refresh token.
@Timeout(120)
class RefreshCookieIT {
  private static final String SIGN_IN =
      "{\"handle\":\"ada\",\"password\":\"long enough\",\"cookie\":true}";

  @ParameterizedTest
  @EnumSource(names = "FILES", mode = EnumSource.Mode.EXCLUDE)
  @Position("http.tls.mode: none")
  @Position("http.tls.mode: proxy")
  void itIsForTlsAloneWhereverTlsIsSpoken(TlsMode mode) {
    try (ApiServer api =
        new ApiServer(TestConfig.with(TestConfig.node(Path.of("unused")), "http.tls.mode", mode))) {
      api.reply(
          new Tokens(
              new Secret("aaa"),
              new Secret("rrr"),
              Duration.ofMinutes(15),
              ApiServer.ALICE.account(),
              ApiServer.ALICE.device()));
      List<String> expected =
          List.of("Max-Age=", "Path=/v1/tokens", "HTTPOnly", "SameSite=Strict", "Secure");
      List<String> without = expected.subList(0, 4);

      assertThat(attributes(call(api, "/v1/tokens", SIGN_IN)))
          .containsExactlyInAnyOrderElementsOf(mode == TlsMode.NONE ? without : expected);
      assertThat(
              attributes(
                  call(
                      api,
                      "/v1/tokens/refresh",
                      "{}",
                      "cookie",
                      "confab_refresh=r",
                      "x-confab",
                      "1")))
          .containsExactlyInAnyOrderElementsOf(mode == TlsMode.NONE ? without : expected);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSignOutTakesItAwayUnlessItIsOfAnotherSignIn(boolean over) {
    try (ApiServer api = new ApiServer(TestConfig.node(Path.of("unused")))) {
      api.reply(new SignedOut(over));
      HttpResponse<String> answer =
          api.call(
              "DELETE",
              "/v1/tokens",
              null,
              "authorization",
              "Bearer " + ApiServer.TOKEN,
              "cookie",
              "confab_refresh=r");
      assertThat(answer.statusCode()).isEqualTo(204);
      assertThat(api.commands).contains(new SignOut(ApiServer.SIGN_IN, new Secret("r")));
      List<String> set = answer.headers().allValues("set-cookie");
      if (over) {
        assertThat(set).singleElement().asString().startsWith("confab_refresh=; ");
      } else {
        assertThat(set).isEmpty();
      }
    }
  }

  private static HttpResponse<String> call(
      ApiServer api, String path, String body, String... headers) {
    return api.call("POST", path, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  /// Those of the one cookie that an answer sets, without the times.
  private static List<String> attributes(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(200);
    List<String> set = answer.headers().allValues("set-cookie");
    assertThat(set).singleElement().asString().startsWith("confab_refresh=rrr; ");
    return Arrays.stream(set.getFirst().split("; "))
        .skip(1)
        .filter(attribute -> !attribute.startsWith("Expires="))
        .map(attribute -> attribute.replaceFirst("(?<=^Max-Age=).*", ""))
        .toList();
  }
}
