package io.confab.http;

import io.confab.limit.Limit;
import io.confab.protocol.EntityTag;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import java.util.List;

/// The web client: its page at `/`, the two files beside it, and those with a hash in their name
/// below `/assets`. A caller need not be known, and whatever stands in the query is the page's.
final class WebRoutes {
  /// What each file answers to be used for: nothing from elsewhere, nothing inline, no frame.
  static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';"
          + " object-src 'none'";

  private static final String PAGE = "index.html";
  private static final List<String> BESIDE_THE_PAGE = List.of("sw.js", "manifest.webmanifest");
  private static final String NAME = "file";
  private static final String ACCEPT_ENCODING = HttpHeaders.ACCEPT_ENCODING.toString();

  private final WebFiles files;

  WebRoutes(WebFiles files) {
    this.files = files;
  }

  /// Every request counts on arrival against the limit of these routes, so nothing more is counted.
  void mount(Routes routes) {
    routes.page("/", Limit.REQUESTS, call -> answer(call, PAGE));
    BESIDE_THE_PAGE.forEach(
        path -> routes.page("/" + path, Limit.REQUESTS, call -> answer(call, path)));
    routes.page(
        "/" + WebFile.HASHED + ":" + NAME,
        Limit.REQUESTS,
        call -> answer(call, WebFile.HASHED + call.context().pathParam(NAME)));
  }

  private Future<Answer> answer(Call call, String path) {
    WebFile file =
        files.find(path).orElseThrow(() -> new Refusal(ErrorCode.NOT_FOUND, "no such path"));
    boolean zipped = file.hasGzip() && Gzip.isAccepted(call.headers(ACCEPT_ENCODING));
    EntityTag tag = file.tag(zipped);
    return Future.succeededFuture(
        Preconditions.answer(
            call,
            tag,
            () -> new Answer.File(Answer.OK, file, zipped),
            () -> new Answer.File(Answer.NOT_MODIFIED, file, zipped)));
  }
}
