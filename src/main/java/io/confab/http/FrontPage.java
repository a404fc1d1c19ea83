package io.confab.http;

import io.confab.config.Sha256;
import io.confab.limit.Limit;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;

/// What a browser gets that opens the address of the server: a page that says what this is and
/// where to go. To callers who do not ask for HTML the path does not exist.
final class FrontPage implements Endpoint {
  private static final String PATH = "/";
  private static final String HTML = "text/html";

  private final Buffer page;
  private final String policy;

  FrontPage() {
    String html = read();
    this.page = Buffer.buffer(html);
    this.policy =
        "default-src 'none'; style-src '%s'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            .formatted(hash(style(html)));
  }

  /// Every request counts on arrival against the limit of this route, so nothing more is counted.
  void mount(Routes routes) {
    routes.page(PATH, Limit.REQUESTS, this);
  }

  @Override
  public Future<Answer> answer(Call call) {
    if (call.headers("accept").stream().noneMatch(accepted -> accepted.contains(HTML))) {
      throw new Refusal(ErrorCode.NOT_FOUND, "no such path");
    }
    return Future.succeededFuture(new Answer.Page(HTML + "; charset=utf-8", page, policy));
  }

  private static String read() {
    try (InputStream file = FrontPage.class.getResourceAsStream("front-page.html")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String style(String html) {
    String open = "<style>";
    return html.substring(html.indexOf(open) + open.length(), html.indexOf("</style>"));
  }

  /// The source expression that allows this one style (CSP Level 3 §2.3.1).
  private static String hash(String style) {
    return "sha256-" + Base64.getEncoder().encodeToString(Sha256.of(style));
  }
}
