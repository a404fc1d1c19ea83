package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// HTTP calls in somebody's name.
final class SignedCalls {
  private static final int MOST_PER_PAGE = 200;

  private final HttpCalls calls;
  private final Authenticator authenticator;

  SignedCalls(HttpCalls calls, Authenticator authenticator) {
    this.calls = calls;
    this.authenticator = authenticator;
  }

  Future<JsonNode> ask(HttpAsk ask) {
    return authenticator.call(name -> calls.ask(ask, name));
  }

  <T> Future<T> ask(HttpAsk ask, Class<T> type) {
    return understood(ask(ask).map(answer -> ClientJson.read(answer, type)));
  }

  /// @param reader takes a good answer, from its first byte on
  <T> Future<T> ask(HttpAsk ask, Function<HttpClientResponse, Future<T>> reader) {
    return authenticator.call(name -> calls.ask(ask, name, reader));
  }

  /// All pages of a list.
  ///
  /// @param plural the field in which a page has its part
  <T> Future<List<T>> pages(String path, String plural, Class<T> type) {
    String limited = path + (path.contains("?") ? "&" : "?") + "limit=" + MOST_PER_PAGE;
    return understood(page(limited, null, plural, type, List.of()));
  }

  /// An answer of another shape is none of a server's.
  static <T> Future<T> understood(Future<T> read) {
    return read.recover(failure -> Future.failedFuture(ApiException.of(failure)));
  }

  private <T> Future<List<T>> page(
      String path, @Nullable String next, String plural, Class<T> type, List<T> before) {
    String after = next == null ? "" : "&after=" + encoded(next);
    return ask(HttpAsk.get(path + after))
        .compose(
            answer -> {
              List<T> all = new ArrayList<>(before);
              all.addAll(ClientJson.list(answer, plural, type));
              return answer.has("next")
                  ? page(path, answer.path("next").asText(), plural, type, all)
                  : Future.succeededFuture(all);
            });
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
