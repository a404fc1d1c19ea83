package io.confab.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand.Me;
import io.confab.account.AccountCommand.MeView;
import io.confab.account.AccountCommand.SignUp;
import io.confab.bus.Done;
import io.confab.config.ConfigLoader;
import io.confab.protocol.AccountId;
import io.confab.protocol.EntityTag;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.InvitesFrom;
import io.confab.protocol.Refusal;
import io.confab.protocol.VisibleTo;
import io.confab.room.RoomCommand.Additions;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What counts against the limit of a route, and how often.
@Timeout(120)
class HttpLimitIT {
  private static final String SIGN_UP = "{\"handle\":\"ada\",\"password\":\"long enough\"}";
  private static final String PASSWORDS = "{\"old\":\"long enough\",\"new\":\"longer still\"}";

  private static final String MEMBERS = "/v1/rooms/0000000000007/members";
  private static final Additions NOBODY = new Additions(List.of(), null);
  private static final MeView ME =
      new MeView(
          new Me(
              ApiServer.ALICE.account(),
              "ada",
              "Ada",
              InvitesFrom.EVERYONE,
              VisibleTo.SHARED_ROOMS,
              VisibleTo.SHARED_ROOMS,
              false),
          new EntityTag("a"));

  private final ApiServer api =
      new ApiServer(
          new ConfigLoader(Map.of())
              .load(
                  null,
                  Map.of(
                      "http.port", "0",
                      "http.request_timeout", "1m",
                      "rates.sign_ups", "1/h burst 2",
                      "rates.sign_ins", "1/h burst 2",
                      "rates.refreshes", "1/h burst 2",
                      "rates.joins", "1/h burst 2",
                      "rates.members", "1/h burst 2",
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
    assertThat(first.headers().firstValue("ratelimit"))
        .hasValueSatisfying(rest -> assertThat(rest).matches("\"refreshes\";r=1;t=3[56]\\d\\d"));
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
    renameDevice(404);
    renameMe(404);
    api.fail(Refusal.changed());
    renameMe(412);
    api.reply(ME);
    renameMe(200);
    api.fail(Refusal.unavailable("perhaps it is done"));
    renameDevice(503);
    renameDevice(429);
    renameMe(429);
  }

  private void renameMe(int status) {
    String name = "{\"display_name\":\"Ada\"}";
    assertThat(api.call("PATCH", "/v1/me", name).statusCode()).isEqualTo(status);
  }

  private void renameDevice(int status) {
    assertThat(api.call("PATCH", "/v1/devices/phone", "{\"name\":\"Old\"}").statusCode())
        .isEqualTo(status);
  }

  @Test
  void theLastCallThatIsLeftAddsAsManyAsAnyOther() {
    api.reply(NOBODY);
    assertThat(api.post(MEMBERS, accounts(1)).statusCode()).isEqualTo(200);
    assertThat(api.post(MEMBERS, accounts(1_000)).statusCode()).isEqualTo(200);
    assertThat(api.post(MEMBERS, accounts(1)).statusCode()).isEqualTo(429);
  }

  /// Two are let in by their heads alone; the body of the first is the first that tells how many.
  @Test
  void whatWasLetInBeforeItToldHowManyWaitsForWhatCameFirst() throws IOException {
    api.reply(NOBODY);
    try (Socket one = api.connect();
        Socket other = api.connect()) {
      byte[] body = accounts(10).getBytes(UTF_8);
      for (Socket socket : List.of(one, other)) {
        String head =
            ApiServer.head(
                "POST " + MEMBERS + " HTTP/1.1",
                "host: localhost",
                "authorization: Bearer " + ApiServer.TOKEN,
                "content-type: application/json",
                "content-length: " + body.length,
                "expect: 100-continue");
        socket.getOutputStream().write(head.getBytes(UTF_8));
        assertThat(line(socket)).contains(" 100 ");
      }
      one.getOutputStream().write(body);
      assertThat(line(one)).contains(" 200 ");
      other.getOutputStream().write(body);
      assertThat(line(other)).contains(" 429 ");
    }
  }

  private static String accounts(int many) {
    return IntStream.rangeClosed(1, many)
        .mapToObj(i -> "\"" + new AccountId(i) + "\"")
        .collect(Collectors.joining(",", "{\"accounts\":[", "]}"));
  }

  /// The next line that is not empty.
  private static String line(Socket socket) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b; (b = socket.getInputStream().read()) >= 0; ) {
      if (b == '\n' && !line.toString().isBlank()) {
        return line.toString();
      }
      line.append((char) b);
    }
    throw new EOFException(line.toString());
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
