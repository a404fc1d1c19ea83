package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand.SignUp;
import io.confab.bus.Done;
import io.confab.config.ConfigLoader;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What counts against the limit of a route, and how often.
@Timeout(120)
class HttpLimitIT {
  private static final String SIGN_UP = "{\"handle\":\"ada\",\"password\":\"long enough\"}";
  private static final String PASSWORDS = "{\"old\":\"long enough\",\"new\":\"longer still\"}";

  private final ApiServer api =
      new ApiServer(
          new ConfigLoader(Map.of())
              .load(
                  null,
                  Map.of(
                      "http.port", "0",
                      "rates.sign_ups", "1/h burst 2",
                      "rates.sign_ins", "1/h burst 2",
                      "rates.refreshes", "1/h burst 2",
                      "rates.joins", "1/h burst 2",
                      "rates.renames", "1/h burst 2"))
              .config());

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void aSignUpThatCannotBeReadDoesNotCount() {
    api.fail(new Refusal(ErrorCode.CONFLICT, "taken"));
    for (int i = 0; i < 5; i++) {
      assertThat(api.post("/v1/accounts", "{}").statusCode()).isEqualTo(400);
    }
    assertThat(api.post("/v1/accounts", SIGN_UP).statusCode()).isEqualTo(409);
    assertThat(api.post("/v1/accounts", SIGN_UP).statusCode()).isEqualTo(409);
    assertThat(api.post("/v1/accounts", SIGN_UP).statusCode()).isEqualTo(429);
    assertThat(api.commands).hasSize(2).hasOnlyElementsOfType(SignUp.class);
  }

  @Test
  void eachAnswerTellsWhatIsLeftOfTheLimitOfItsRoute() {
    api.fail(new Refusal(ErrorCode.UNAUTHORIZED, "over"));
    String refresh = "{\"refresh_token\":\"t\"}";

    HttpResponse<String> first = api.post("/v1/tokens/refresh", refresh);
    HttpResponse<String> stranger = api.call("GET", "/v1/nothing", null);
    api.post("/v1/tokens/refresh", refresh);
    HttpResponse<String> refused = api.post("/v1/tokens/refresh", refresh);

    assertThat(List.of(first, refused))
        .extracting(answer -> answer.headers().firstValue("ratelimit-policy"))
        .containsOnly(Optional.of("\"refreshes\";q=2;w=7200"));
    assertThat(first.headers().firstValue("ratelimit")).contains("\"refreshes\";r=1;t=3600");
    assertThat(refused.headers().firstValue("ratelimit"))
        .hasValueSatisfying(rest -> assertThat(rest).matches("\"refreshes\";r=0;t=7[12]\\d\\d"));
    assertThat(refused.headers().firstValueAsLong("retry-after").orElseThrow())
        .isBetween(3_500L, 3_600L);
    assertThat(stranger.headers().firstValue("ratelimit-policy").orElseThrow())
        .startsWith("\"requests\";q=");
  }

  @Test
  void aNewPasswordCountsAsATryToSignIn() {
    api.reply(Done.DONE);
    assertThat(api.call("PUT", "/v1/me/password", PASSWORDS).statusCode()).isEqualTo(204);
    assertThat(api.call("PUT", "/v1/me/password", PASSWORDS).statusCode()).isEqualTo(204);
    assertThat(api.call("PUT", "/v1/me/password", PASSWORDS).statusCode()).isEqualTo(429);
    assertThat(api.post("/v1/tokens", SIGN_UP).statusCode()).isEqualTo(429);
  }

  @Test
  void onlyNewNamesCountAgainstTheLimitOfNames() {
    api.fail(new Refusal(ErrorCode.NOT_FOUND, "gone"));
    for (int i = 0; i < 9; i++) {
      assertThat(api.call("PATCH", "/v1/me", "{\"invites_from\":\"nobody\"}").statusCode())
          .isEqualTo(404);
    }
    String name = "{\"display_name\":\"Ada\"}";
    assertThat(api.call("PATCH", "/v1/me", name).statusCode()).isEqualTo(404);
    assertThat(api.call("PATCH", "/v1/me", name).statusCode()).isEqualTo(404);
    assertThat(api.call("PATCH", "/v1/me", name).statusCode()).isEqualTo(429);
  }

  @Test
  void refreshesCountByAddress() {
    api.fail(new Refusal(ErrorCode.UNAUTHORIZED, "over"));
    String refresh = "{\"refresh_token\":\"t\"}";
    assertThat(api.post("/v1/tokens/refresh", refresh).statusCode()).isEqualTo(401);
    assertThat(api.post("/v1/tokens/refresh", refresh).statusCode()).isEqualTo(401);
    assertThat(api.post("/v1/tokens/refresh", refresh).statusCode()).isEqualTo(429);
  }

  @Test
  void roomsAndInvitationsThatAreJoinedCountTogether() {
    api.fail(new Refusal(ErrorCode.NOT_FOUND, "no such room"));
    assertThat(api.post("/v1/invites/code", "{}").statusCode()).isEqualTo(404);
    assertThat(api.post("/v1/rooms/0000000000007/join", "{}").statusCode()).isEqualTo(404);
    assertThat(api.post("/v1/rooms/0000000000008/join", "{}").statusCode()).isEqualTo(429);
  }
}
