package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the address of the server answers to browsers and to others.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FrontPageIT {
  private static final String BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";

  private final ApiServer api = new ApiServer();

  @AfterAll
  void close() {
    api.close();
  }

  private HttpResponse<String> open(String method) {
    return api.call(method, "/", null, "accept", BROWSER);
  }

  @Test
  void aBrowserGetsAPage() {
    HttpResponse<String> page = open("GET");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("content-type")).contains("text/html; charset=utf-8");
    assertThat(page.headers().firstValue("vary")).contains("accept");
    assertThat(page.body()).startsWith("<!doctype html>").contains("<h1>Confab</h1>");
  }

  @Test
  void headIsTheSameWithoutThePage() {
    HttpResponse<String> head = open("HEAD");

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValue("content-length"))
        .isEqualTo(open("GET").headers().firstValue("content-length"));
    assertThat(head.body()).isEmpty();
  }

  @Test
  void thePageMayUseItsOneStyleAndNothingElse() throws Exception {
    HttpResponse<String> page = open("GET");
    Matcher style = Pattern.compile("(?s)<style>(.*?)</style>").matcher(page.body());
    assertThat(style.find()).isTrue();
    byte[] digest =
        MessageDigest.getInstance("SHA-256")
            .digest(style.group(1).getBytes(StandardCharsets.UTF_8));

    assertThat(page.headers().allValues("content-security-policy"))
        .containsExactly(
            "default-src 'none'; style-src 'sha256-"
                + Base64.getEncoder().encodeToString(digest)
                + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    assertThat(style.find()).isFalse();
    assertThat(page.body()).doesNotContain("<script", "style=", "src=", "href=", "@import", "url(");
  }

  @Test
  void everyFileThatThePageNamesIsInTheProject() {
    Matcher named = Pattern.compile("<code>([A-Za-z/]+\\.(?:md|yaml))</code>").matcher(page());

    assertThat(named.results().map(found -> Path.of(found.group(1))))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(file).exists());
  }

  private String page() {
    return open("GET").body();
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "*/*"})
  void toOthersItIsNoPath(String accept) {
    HttpResponse<String> answer = api.call("GET", "/", null, "accept", accept);

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).contains("\"code\":\"not_found\"", "no such path");
  }

  @Test
  void otherMethodsAreRefused() {
    assertThat(open("DELETE").statusCode()).isEqualTo(405);
    assertThat(open("OPTIONS").headers().firstValue("allow")).contains("GET, HEAD, OPTIONS");
  }
}
