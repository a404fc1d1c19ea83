package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand;
import io.confab.protocol.EntityTag;
import io.confab.protocol.InvitesFrom;
import io.confab.protocol.VisibleTo;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What callers say of the state that they have seen, and how it is read.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PreconditionsIT {
  private final ApiServer api = new ApiServer();

  @BeforeEach
  void replyWithTagA() {
    api.commands.clear();
    api.reply(
        new AccountCommand.MeView(
            new AccountCommand.Me(
                ApiServer.ALICE.account(),
                "alice",
                "Alice",
                InvitesFrom.EVERYONE,
                VisibleTo.SHARED_ROOMS,
                VisibleTo.SHARED_ROOMS,
                false),
            new EntityTag("a")));
  }

  @AfterAll
  void close() {
    api.close();
  }

  private HttpResponse<String> call(String method, @Nullable String body, String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("authorization", "Bearer " + ApiServer.TOKEN));
    byte[] bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
    return api.call(method, "/v1/me", bytes, all.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "if-none-match | *                   | 304",
        "if-none-match | \"a\"               | 304",
        "if-none-match | W/\"a\"             | 304",
        "if-none-match | \"b\",, \"x,y\",\"a\" | 304",
        "if-none-match | \"b\"               | 200",
        "if-none-match | ~~                  | 200",
        "if-none-match | a                   | 400",
        "if-none-match | \"a                 | 400",
        "if-none-match | \"a\" \"b\"         | 400",
        "if-match      | *                   | 200",
        "if-match      | \"b\" , \"a\"       | 200",
        "if-match      | W/\"a\"             | 412",
        "if-match      | \"b\"               | 412",
        "if-match      | ~~                  | 412",
        "if-match      | \"a\", *            | 400",
      })
  void aReaderGetsTheThingOrItsState(String header, String value, int status) {
    HttpResponse<String> answer = call("GET", null, header, value);

    assertThat(answer.statusCode()).isEqualTo(status);
    if (status < 400) {
      assertThat(answer.headers().firstValue("etag")).contains("\"a\"");
      assertThat(answer.headers().firstValue("cache-control")).contains("no-store");
      assertThat(answer.body().isEmpty()).isEqualTo(status == 304);
    } else {
      String said = status == 412 ? "\"precondition_failed\"" : "\"field\":\"" + header + "\"";
      assertThat(answer.body()).contains(said);
    }
    assertThat(call("HEAD", null, header, value).statusCode()).isEqualTo(status);
  }

  @Test
  void tagsMayStandInSeveralLines() {
    assertThat(call("GET", null, "if-none-match", "\"b\"", "if-none-match", "\"a\"").statusCode())
        .isEqualTo(304);
  }

  @Test
  void aChangeTakesItsTagsAlong() {
    assertThat(seenWith()).isNull();
    assertThat(seenWith("if-match", "*")).isNull();
    assertThat(seenWith("if-match", "W/\"c\", \"a\", \"b\""))
        .containsExactly(new EntityTag("a"), new EntityTag("b"));
    assertThat(seenWith("if-match", "")).isEmpty();
  }

  private @Nullable List<EntityTag> seenWith(String... headers) {
    HttpResponse<String> answer = call("PATCH", "{}", headers);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("etag")).contains("\"a\"");
    return ((AccountCommand.ChangeMe) api.commands.getLast()).seen();
  }

  @Test
  void aChangeThatWouldHaveToFindNothingIsRefused() {
    HttpResponse<String> answer = call("PATCH", "{}", "if-none-match", "*");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("\"field\":\"if-none-match\"");
    assertThat(api.commands).isEmpty();
  }
}
