package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How the web client that is in this build reaches browsers.
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebRoutesIT {
  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';"
          + " object-src 'none'";
  private static final Pattern NAMED = Pattern.compile("(?:src|href)=\"([^\"]*)\"");
  private static final Pattern HASHED =
      Pattern.compile("/assets/.+-[0-9A-Z]{8}(-[a-z0-9]+)?\\.[a-z0-9]+");

  private final ApiServer api = new ApiServer();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterAll
  void close() {
    client.close();
    api.close();
  }

  private HttpResponse<byte[]> call(String method, String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpResponse<byte[]> get(String path, String... headers) {
    return call("GET", path, headers);
  }

  private static String header(HttpResponse<?> answer, String name) {
    return String.join(" | ", answer.headers().allValues(name));
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static byte[] unzipped(HttpResponse<byte[]> answer) throws IOException {
    return new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes();
  }

  private static String address(WebFile file) {
    return file.path().equals("index.html") ? "/" : "/" + file.path();
  }

  static Stream<String> addresses() {
    return WebFiles.ofTheJar().all().stream().map(WebRoutesIT::address);
  }

  @Test
  void thePageIsAskedForEachTime() {
    HttpResponse<byte[]> page = get("/");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(header(page, "content-type")).isEqualTo("text/html; charset=utf-8");
    assertThat(header(page, "cache-control")).isEqualTo("no-cache");
    assertThat(text(page)).startsWith("<!doctype html>").contains("<title>Confab</title>");
  }

  @Test
  void thePageHasNothingInlineAndNamesOnlyFilesOfTheBuild() {
    String page = text(get("/"));
    List<String> named = NAMED.matcher(page).results().map((MatchResult m) -> m.group(1)).toList();

    assertThat(page)
        .doesNotContain("<style", " style=")
        .doesNotContainPattern("<script(?![^>]* src=)")
        .doesNotContainPattern("\\son[a-z]+=");
    assertThat(named)
        .hasSizeGreaterThan(1)
        .allSatisfy(path -> assertThat(get(path).statusCode()).as(path).isEqualTo(200));
    assertThat(named.stream().filter(path -> path.startsWith("/assets/")))
        .isNotEmpty()
        .allMatch(HASHED.asMatchPredicate());
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void everyFileHasItsTypeItsPolicyAndItsTag(String path) {
    HttpResponse<byte[]> file = get(path);

    assertThat(file.statusCode()).isEqualTo(200);
    assertThat(header(file, "content-type")).isNotEmpty().doesNotContain("octet-stream");
    assertThat(header(file, "content-security-policy")).isEqualTo(POLICY);
    assertThat(header(file, "x-content-type-options")).isEqualTo("nosniff");
    assertThat(header(file, "x-frame-options")).isEqualTo("DENY");
    assertThat(header(file, "referrer-policy")).isEqualTo("no-referrer");
    assertThat(header(file, "etag")).matches("\"[0-9a-f]{32}\"");
    assertThat(header(file, "cache-control"))
        .isEqualTo(
            path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache");
    assertThat(header(file, "content-length")).isEqualTo(Integer.toString(file.body().length));
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void headSaysTheSameWithoutTheContent(String path) {
    HttpResponse<byte[]> file = get(path, "accept-encoding", "gzip");
    HttpResponse<byte[]> head = call("HEAD", path, "accept-encoding", "gzip");

    assertThat(head.body()).isEmpty();
    for (String name :
        List.of("content-type", "content-length", "content-encoding", "etag", "vary")) {
      assertThat(header(head, name)).as(name).isEqualTo(header(file, name));
    }
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void whoeverHasItIsToldSoWithAllThatIsSaidOfIt(String path) {
    HttpResponse<byte[]> file = get(path);
    HttpResponse<byte[]> known = get(path, "if-none-match", "W/" + header(file, "etag"));

    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(known.body()).isEmpty();
    for (String name : List.of("etag", "cache-control", "content-security-policy", "vary")) {
      assertThat(header(known, name)).as(name).isEqualTo(header(file, name));
    }
    assertThat(get(path, "if-none-match", "\"other\"").statusCode()).isEqualTo(200);
    assertThat(get(path, "if-match", "\"other\"").statusCode()).isEqualTo(412);
  }

  @Test
  void whatGetsSmallerComesAsGzipToWhoTakesIt() throws IOException {
    List<WebFile> zipped = WebFiles.ofTheJar().all().stream().filter(WebFile::hasGzip).toList();
    assertThat(zipped).extracting(WebFile::path).anyMatch(path -> path.endsWith(".js"));
    for (WebFile file : zipped) {
      HttpResponse<byte[]> plain = get(address(file), "accept-encoding", "br, gzip;q=0");
      HttpResponse<byte[]> gzip = get(address(file), "accept-encoding", "br, gzip");

      assertThat(header(plain, "content-encoding")).isEmpty();
      assertThat(header(gzip, "content-encoding")).isEqualTo("gzip");
      assertThat(header(gzip, "vary")).isEqualTo(header(plain, "vary")).contains("accept-encoding");
      assertThat(header(gzip, "etag")).isNotEqualTo(header(plain, "etag"));
      assertThat(unzipped(gzip)).isEqualTo(plain.body());
      assertThat(gzip.body().length).isLessThan(plain.body().length);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/index.html",
        "/files.txt",
        "/assets",
        "/assets/",
        "/assets/none.js",
        "/assets/../index.html",
        "/assets/..%2findex.html",
        "/assets/%2e%2e%2fsw.js",
        "/assets/..%5cindex.html",
        "/assets//etc/passwd",
        "/assets/%2fetc%2fpasswd",
        "/assets/app.js%00.css",
        "/web/index.html",
        "/sw.js.gz",
        "/build.json",
        "//sw.js",
        "/io/confab/http/web/index.html",
        "/META-INF/MANIFEST.MF",
      })
  void nothingElseCanBeReached(String path) throws IOException {
    String answer =
        api.raw(ApiServer.head("GET " + path + " HTTP/1.1", "host: a", "connection: close"), "}}");

    assertThat(answer).startsWith("HTTP/1.1 404").contains("\"not_found\"");
  }

  @Test
  void noGzipHasAnAddressOfItsOwn() {
    WebFiles.ofTheJar()
        .all()
        .forEach(file -> assertThat(get("/" + file.path() + ".gz").statusCode()).isEqualTo(404));
  }

  @Test
  void aLinkToThePageMayCarryWhateverSomebodyAddedToIt() {
    assertThat(get("/?from=mail&from=again&x=%00").statusCode()).isEqualTo(200);
  }

  @Test
  void otherMethodsAreRefused() {
    assertThat(call("POST", "/").statusCode()).isEqualTo(405);
    assertThat(header(call("OPTIONS", "/"), "allow")).isEqualTo("GET, HEAD, OPTIONS");
  }
}
