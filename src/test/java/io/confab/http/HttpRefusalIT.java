package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.contract.Contract;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every kind of bad input, and what a client is told.
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpRefusalIT {
  private static final String ROOMS = "/v1/rooms/" + new RoomId(7);
  private static final String MESSAGES = ROOMS + "/messages";
  private static final String MEMBER = ROOMS + "/members/" + new AccountId(2);

  private final ApiServer api = new ApiServer();

  @BeforeEach
  void forget() {
    api.commands.clear();
  }

  @AfterAll
  void close() {
    api.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // missing, of another type, unknown
        "/v1/accounts | {} | handle",
        "/v1/accounts | {'handle':{},'password':'p'} | handle",
        "/v1/accounts | {'handle':'h','password':{}} | password",
        "/v1/accounts | {'handle':'h','password':'p','display_name':{}} | display_name",
        "/v1/accounts | {'handle':'h','password':null} | password",
        "/v1/accounts | {'handle':'h','password':'p','extra':1} | extra",
        "/v1/accounts | {'handle':'\\ud800','password':'p'} | handle",
        "/v1/tokens | {'handle':{},'password':'p'} | handle",
        "/v1/tokens | {'handle':'h','password':[]} | password",
        "/v1/tokens | {'handle':'h','password':'p','cookie':1} | cookie",
        "/v1/tokens | {'handle':'a\\u0000','password':'p'} | handle",
        "/v1/tokens | {'handle':'h','password':'p','device':'d'} | device",
        "/v1/tokens | {'handle':'h','password':'p','device':{'platform':'p'}} | device.name",
        "/v1/tokens | {'handle':'h','password':'p','device':{'name':{},'platform':'p'}} |"
            + " device.name",
        "/v1/tokens | {'handle':'h','password':'p','device':{'name':'n','platform':{}}} |"
            + " device.platform",
        "/v1/tokens |"
            + " {'handle':'h','password':'p','device':{'name':'n','platform':'p','device_id':{}}} |"
            + " device.device_id",
        "/v1/tokens | {'handle':'h','password':'p','device':{'name':'n','platform':'p','x':1}} |"
            + " device.x",
        "/v1/tokens/refresh | {'refresh_token':{}} | refresh_token",
        "/v1/tickets | {'x':1} | x",
        "/v1/rooms | {'type':{},'name':'n'} | type",
        "/v1/rooms | {'type':'club','name':'n'} | type",
        "/v1/rooms | {'type':'group'} | name",
        "/v1/rooms | {'type':'group','name':{}} | name",
        "/v1/rooms | {'type':'group','name':'a\\nb'} | name",
        "/v1/rooms | {'type':'group','name':'n','description':{}} | description",
        "/v1/rooms | {'type':'group','name':'n','members':{}} | members",
        "/v1/rooms | {'type':'group','name':'n','members':[{}]} | members[0]",
        "/v1/rooms | {'type':'group','name':'n','capacity':-1} | capacity",
        "/v1/rooms | {'type':'group','name':'n','capacity':1000001} | capacity",
        "/v1/rooms | {'type':'group','name':'n','read_outside':1} | read_outside",
        "/v1/rooms | {'type':'direct','capacity':5,'members':['0000000000002']} | capacity",
        "/v1/rooms | {'type':'group','name':'n','history':'none'} | history",
        "/v1/rooms | {'type':'direct','name':'n','members':['0000000000002']} | name",
        "/v1/rooms | {'type':'group','name':'n','history':{}} | history",
        "/v1/rooms | {'type':'direct','history':'all','members':['0000000000002']} | history",
        "/v1/rooms | {'type':'direct'} | members",
        "/v1/rooms | {'type':'direct','members':['0000000000002','0000000000003']} | members",
        "/v1/rooms/0000000000007/join | {'x':1} | x",
        "/v1/rooms/0000000000007/messages | {'client_id':{},'body':'b'} | client_id",
        "/v1/rooms/0000000000007/messages | {'client_id':'c','body':{}} | body",
        "/v1/rooms/0000000000007/messages | {'client_id':'c','body':' '} | body",
        "/v1/rooms/0000000000007/messages | {'client_id':'c','body':'\\udc00'} | body",
        "/v1/rooms/0000000000007/messages | {'client_id':'c','body':'b','topic':{}} | topic",
        "/v1/rooms/0000000000007/messages | {'client_id':'c','body':'b','msg_type':{}} | msg_type",
        "/v1/rooms/0000000000007/messages | {'client_id':'c','body':'b','msg_type':'system'} |"
            + " msg_type",
        "/v1/rooms/0000000000007/messages | {'client_id':'c','body':'b','reply_to':'1'} | reply_to",
        "/v1/rooms/0000000000007/messages | {'client_id':'c','body':'b','local_id':'l'} | local_id",
      })
  void aBadFieldIsNamed(String path, String body, String field) {
    assertRefused(api.post(path, body.replace('\'', '"')), "invalid_field", Optional.of(field));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | client_id",
        "{'client_id':{},'body':'b'} | client_id",
        "{'client_id':'c'} | body",
        "{'client_id':'c','body':' '} | body",
        "{'client_id':'c','body':'b','topic':'t'} | topic",
      })
  void aBadFieldOfAnEditIsNamed(String body, String field) {
    assertRefused(
        api.call("PATCH", MESSAGES + "/3", body.replace('\'', '"')),
        "invalid_field",
        Optional.of(field));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "+1", "x", "1.0", "01", "9999999999999999999", "%20"})
  void aMessageThatNoNumberNamesDoesNotExist(String seq) {
    String message = MESSAGES + "/" + seq;
    String edit = "{\"client_id\":\"c\",\"body\":\"b\"}";
    assertRefused(api.call("PATCH", message, edit), 404, "not_found", Optional.empty());
    assertRefused(api.call("DELETE", message, null), 404, "not_found", Optional.empty());
    assertRefused(api.get(message + "/versions"), 404, "not_found", Optional.empty());
  }

  @Test
  void textThatIsTooLongIsNamed() {
    String name = "{\"type\":\"group\",\"name\":\"" + "n".repeat(81) + "\"}";
    String description =
        "{\"type\":\"group\",\"name\":\"n\",\"description\":\"" + "d".repeat(501) + "\"}";
    String device =
        "{\"handle\":\"h\",\"password\":\"p\",\"device\":{\"name\":\""
            + "n".repeat(81)
            + "\",\"platform\":\"p\"}}";
    String message = "{\"client_id\":\"c\",\"body\":\"" + "b".repeat(16_385) + "\"}";

    assertRefused(api.post("/v1/rooms", name), "invalid_field", Optional.of("name"));
    assertRefused(api.post("/v1/rooms", description), "invalid_field", Optional.of("description"));
    assertRefused(api.post("/v1/tokens", device), "invalid_field", Optional.of("device.name"));
    assertRefused(api.post(MESSAGES, message), 413, "too_large", Optional.of("body"));
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/me?x=1, x",
    "/v1/accounts, ids",
    "/v1/accounts?ids=, ids",
    "/v1/accounts?ids=a&ids=b, ids",
    "/v1/accounts?ids=a&handle=b, handle",
    "/v1/rooms?after=zzz, after",
    "/v1/rooms?limit=0, limit",
    "/v1/channels?query=a%00b, query",
    "/v1/rooms/0000000000007/members?after=zzz, after",
    "/v1/rooms/0000000000007/messages?limit=0, limit",
    "/v1/rooms/0000000000007/messages?limit=201, limit",
    "/v1/rooms/0000000000007/messages?limit=many, limit",
    "/v1/rooms/0000000000007/messages?limit=99999999999999999999, limit",
    "/v1/rooms/0000000000007/messages?before=-1, before",
    "/v1/rooms/0000000000007/messages?before=1&after=1, after",
    "/v1/rooms/0000000000007/messages?around=x, around",
    "/v1/rooms/0000000000007/messages?anchor=last_unread, anchor",
    "/v1/rooms/0000000000007/messages?anchor=, anchor",
    "/v1/rooms/0000000000007/messages?around=5&anchor=newest, anchor",
    "/v1/rooms/0000000000007/events?after_rev=5, epoch",
    "/v1/rooms/0000000000007/events?epoch=1, after_rev",
    "/v1/rooms/0000000000007/events?epoch=1&after_rev=-1, after_rev",
    "/v1/rooms/0000000000007/events?epoch=1&after_rev=1&limit=201, limit",
    "/v1/rooms/0000000000007/export?limit=5, limit",
    "/v1/rooms/0000000000007/messages?Limit=5, Limit",
  })
  void aBadQueryParameterIsNamed(String path, String field) {
    assertRefused(api.get(path), "invalid_field", Optional.of(field));
  }

  @Test
  void moreThanAHundredIdsAreRefused() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i <= 100; i++) {
      ids.add(new AccountId(i).toString());
    }

    assertRefused(
        api.get("/v1/accounts?ids=" + String.join(",", ids)), "invalid_field", Optional.of("ids"));
  }

  @Test
  void nothingIsCalledByWhatCannotBeStored() {
    assertRefused(api.call("DELETE", "/v1/devices/%00", null), 404, "not_found", Optional.empty());
    assertRefused(api.call("DELETE", "/v1/devices/%01", null), 404, "not_found", Optional.empty());
    assertThat(api.commands).isEmpty();
    assertRefused(api.get("/v1/accounts?handle=a%00"), "invalid_field", Optional.of("handle"));
  }

  @Test
  void aRoleThatIsNoneIsNotGiven() {
    assertRefused(
        api.call("PUT", MEMBER, "{\"role\":\"king\"}"), "invalid_field", Optional.of("role"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[]",
        "1",
        "null",
        "",
        "{'handle':'a','handle':'b','password':'p'}",
        "{'handle':'a','password':'p'} {}",
        "{'handle':'a','password':'p',}",
        "{'handle':'h','password':'p','\\ud800':1}"
      })
  void whatIsNotOneJsonObjectIsInvalidJson(String body) {
    assertRefused(
        api.post("/v1/accounts", body.replace('\'', '"')), "invalid_json", Optional.empty());
  }

  @Test
  void deepJsonLongNumbersAndOtherEncodingsAreInvalidJson() {
    String deep = "{\"handle\":" + "[".repeat(40) + "]".repeat(40) + "}";
    String number = "{\"handle\":" + "1".repeat(101) + "}";
    String good = "{\"handle\":\"h\",\"password\":\"p\"}";
    byte[] broken = "{\"handle\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
    byte[] wide = good.getBytes(StandardCharsets.UTF_16LE);

    assertRefused(api.post("/v1/accounts", deep), "invalid_json", Optional.empty());
    assertRefused(api.post("/v1/accounts", number), "invalid_json", Optional.empty());
    assertRefused(
        api.call("POST", "/v1/accounts", broken, "accept", "*/*"),
        "invalid_json",
        Optional.empty());
    assertRefused(
        api.call("POST", "/v1/accounts", wide, "accept", "*/*"), "invalid_json", Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonx"
      })
  void aBodyOfAnotherContentTypeIsUnsupported(String type) {
    assertUnsupported("content-type", type);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate", "br", "identity, gzip", "x"})
  void aCompressedBodyIsUnsupported(String coding) {
    assertUnsupported("content-encoding", coding);
  }

  private void assertUnsupported(String name, String value) {
    byte[] body = "{\"handle\":\"h\",\"password\":\"p\"}".getBytes(StandardCharsets.UTF_8);

    HttpResponse<String> answer = api.call("POST", "/v1/accounts", body, name, value);

    assertRefused(answer, 415, "unsupported_media_type", Optional.empty());
    assertThat(answer.headers().firstValue("accept")).contains("application/json");
    assertThat(answer.headers().firstValue("accept-encoding")).contains("identity");
  }

  @Test
  void aBodyWithoutOrWithTwoContentTypesIsUnsupported() throws IOException {
    String json = "content-type: application/json";
    for (List<String> types : List.of(List.<String>of(), List.of(json, json))) {
      List<String> head = new ArrayList<>(List.of("POST /v1/accounts HTTP/1.1", "host: a"));
      head.addAll(types);
      head.add("content-length: 2");

      assertThat(api.raw(ApiServer.head(head.toArray(String[]::new)) + "{}", "request_id"))
          .startsWith("HTTP/1.1 415");
    }
  }

  @Test
  void aBodyOverTheLimitIsTooLarge() throws IOException {
    String post = "POST /v1/accounts HTTP/1.1";
    String json = "content-type: application/json";
    String declared =
        api.raw(ApiServer.head(post, "host: a", json, "content-length: 262145"), "request_id");
    String chunk = "10000\r\n" + " ".repeat(65_536) + "\r\n";
    String chunked =
        api.raw(
            ApiServer.head(post, "host: a", json, "transfer-encoding: chunked") + chunk.repeat(5),
            "request_id");

    assertThat(declared).startsWith("HTTP/1.1 413").contains("\"too_large\"");
    assertThat(chunked).startsWith("HTTP/1.1 413").contains("\"too_large\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer wrong", "Basic token-of-alice", "Bearer", "token-of-alice"})
  void aCallWithoutAValidTokenIsUnauthorized(String authorization) {
    HttpResponse<String> answer =
        authorization.isEmpty()
            ? api.call("GET", "/v1/me", (byte[]) null, "accept", "*/*")
            : api.call("GET", "/v1/me", (byte[]) null, "authorization", authorization);

    assertRefused(answer, 401, "unauthorized", Optional.empty());
    assertThat(answer.headers().firstValue("www-authenticate")).contains("Bearer");
  }

  @Test
  void twoAuthorizationsAreUnauthorized() {
    String good = "Bearer " + ApiServer.TOKEN;

    assertRefused(
        api.call("GET", "/v1/me", null, "authorization", good, "authorization", good),
        401,
        "unauthorized",
        Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/rooms/nonsense",
        "/v1/rooms/%2F",
        "/v1/rooms/000000000000I",
        "/v1/rooms/nonsense/members",
        "/v1/nothing",
        "/index.html",
        "/assets",
        "/assets/none.js",
        "/v1/rooms/0000000000007/messages/1/nothing",
      })
  void unknownPathsAndMalformedIdsAreNotFound(String path) {
    assertRefused(api.get(path), 404, "not_found", Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/v1/rooms/%zz", "/v1/rooms/%", "/v1/rooms/%4", "/v1/rooms/%ff", "*", "x"})
  void aPathThatCannotBeDecodedIsNotFound(String path) throws IOException {
    String answer = api.raw(ApiServer.head("GET " + path + " HTTP/1.1", "host: a"), "}}");

    assertThat(answer).startsWith("HTTP/1.1 40").contains("\"request_id\"");
  }

  @Test
  void aQueryThatCannotBeDecodedIsRefused() throws IOException {
    String answer = api.raw(ApiServer.head("GET /v1/me?x=%zz HTTP/1.1", "host: a"), "}}");

    assertThat(answer).startsWith("HTTP/1.1 400").contains("\"invalid_field\"");
  }

  /// But those of administrators, which tell nobody else what is wrong.
  static Stream<String> lists() {
    return Contract.HTTP.operations().stream()
        .filter(operation -> operation.query().containsKey("limit"))
        .filter(operation -> !operation.path().startsWith("/v1/admin/"))
        .map(operation -> operation.path().replaceAll("\\{seq}", "1"))
        .map(path -> path.replaceAll("\\{[a-z_]+}", new RoomId(7).toString()))
        .map(path -> path + "?" + required(path));
  }

  private static String required(String path) {
    return path.endsWith("/events")
        ? "epoch=1&after_rev=0&"
        : path.endsWith("/readers") ? "seq=1&" : "";
  }

  @ParameterizedTest
  @MethodSource("lists")
  void theLengthOfAPageIsBoundedTheSameWayEverywhere(String list) {
    for (String limit : List.of("0", "201", "-1", "1.5", "x", "", "99999999999999999999")) {
      assertRefused(api.get(list + "limit=" + limit), 400, "invalid_field", Optional.of("limit"));
    }
    assertRefused(api.get(list + "limit=1&limit=1"), 400, "invalid_field", Optional.of("limit"));
    api.fail(Refusal.unavailable("it was asked"));
    String most = list.startsWith("/v1/queue") ? "100" : "200";
    assertThat(api.get(list + "limit=" + most).statusCode()).isEqualTo(503);
  }

  @Test
  void aLongUnknownNameIsCut() {
    String name = "n".repeat(1_000);

    assertRefused(
        api.post("/v1/accounts", "{\"handle\":\"h\",\"password\":\"p\",\"" + name + "\":1}"),
        "invalid_field",
        Optional.of("n".repeat(64)));
  }

  @Test
  void aMemberWithAMalformedIdIsNotFound() {
    String room = "{\"type\":\"group\",\"name\":\"n\",\"members\":[\"zzz\"]}";

    assertRefused(api.post("/v1/rooms", room), 404, "not_found", Optional.of("members[0]"));
    assertRefused(api.call("PUT", ROOMS + "/members/me", null), 404, "not_found", Optional.empty());
  }

  @Test
  void aWrongMethodIsRefusedWithThoseThatThePathHas() {
    HttpResponse<String> answer = api.call("DELETE", "/v1/rooms", null);

    assertRefused(answer, 405, "method_not_allowed", Optional.empty());
    assertThat(answer.headers().firstValue("allow")).contains("GET, HEAD, POST, OPTIONS");
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void aRefusalOfTheDomainIsSaidAsItIs(ErrorCode code) {
    api.fail(new Refusal(code, "some.field", "because", Duration.ofMillis(1_001)));

    HttpResponse<String> answer = api.get("/v1/me");

    String id = answer.headers().firstValue("x-request-id").orElseThrow();
    assertThat(answer.statusCode()).isEqualTo(code.httpStatus());
    assertThat(answer.headers().firstValue("retry-after")).contains("2");
    assertThat(answer.body())
        .isEqualTo(
            "{\"error\":{\"code\":\""
                + code.wire()
                + "\",\"message\":\"because\",\"field\":\"some.field\",\"retryable\":"
                + code.retryable()
                + ",\"retry_after_ms\":1001,\"request_id\":\""
                + id
                + "\"}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/problem+json | true",
        "application/problem+json, application/json | true",
        "application/json;q=0.5, application/problem+json;q=0.6 | true",
        "application/json, application/problem+json;q=0.9 | false",
        "application/problem+json;q=0 | false",
        "application/json | false",
        "*/* | false",
        "application/* | false",
        "text/html | false",
      })
  void aRefusalIsAProblemForWhoAsksForProblems(String accept, boolean problem) {
    HttpResponse<String> answer = api.call("GET", "/v1/nothing", null, "accept", accept);

    String type = answer.headers().firstValue("content-type").orElseThrow();
    String id = answer.headers().firstValue("x-request-id").orElseThrow();
    if (problem) {
      assertThat(type).isEqualTo("application/problem+json");
      assertThat(answer.headers().firstValue("vary")).contains("accept");
      assertThat(answer.body())
          .isEqualTo(
              "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,"
                  + "\"detail\":\"no such path\",\"code\":\"not_found\",\"retryable\":false,"
                  + "\"request_id\":\""
                  + id
                  + "\"}");
    } else {
      assertThat(type).isEqualTo("application/json");
      assertThat(answer.body()).startsWith("{\"error\":{");
    }
  }

  @Test
  void everyCodeMakesAProblemThatTheDocumentKnows() {
    for (ErrorCode code : ErrorCode.values()) {
      api.fail(new Refusal(code, "some.field", "because", Duration.ofMillis(1_001)));
      HttpResponse<String> answer =
          api.call(
              "GET",
              "/v1/me",
              null,
              "accept",
              "application/problem+json",
              "authorization",
              "Bearer " + ApiServer.TOKEN);

      assertThat(answer.statusCode()).isEqualTo(code.httpStatus());
      assertThat(Contract.HTTP.problemFaults(answer.body())).isEmpty();
    }
  }

  @Test
  void whatIsUnavailableIsTriedAgainInASecond() {
    api.fail(Refusal.unavailable("the database is away"));

    assertThat(api.get("/v1/me").headers().firstValue("retry-after")).contains("1");
  }

  @Test
  void aBugIsAnsweredWithoutDetails() {
    api.fail(new IllegalStateException("the secret of the house"));

    HttpResponse<String> answer = api.get("/v1/me");

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).contains("\"code\":\"internal\"").doesNotContain("house");
    await().until(() -> api.statuses.contains(500));
  }

  private void assertRefused(HttpResponse<String> answer, String code, Optional<String> field) {
    assertRefused(answer, 400, code, field);
  }

  private void assertRefused(
      HttpResponse<String> answer, int status, String code, Optional<String> field) {
    String expected =
        "\\{\"error\":\\{\"code\":\""
            + code
            + "\",\"message\":\"[^\"]+\""
            + field.map(f -> ",\"field\":\"" + Pattern.quote(f) + "\"").orElse("")
            + ",\"retryable\":false,\"request_id\":\"[0-9a-f]{16}\"}}";
    assertThat(answer.body()).matches(expected);
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("content-type")).contains("application/json");
    assertThat(answer.headers().firstValue("cache-control")).contains("no-store");
    assertThat(api.commands).isEmpty();
  }
}
