package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// HTTP calls of the account that is signed in. An access token that has run out is renewed on the
/// way.
final class SignedCalls {
  private final HttpCalls calls;
  private final SignIn signIn;

  SignedCalls(HttpCalls calls, SignIn signIn) {
    this.calls = calls;
    this.signIn = signIn;
  }

  Future<JsonNode> ask(HttpAsk ask) {
    return renewing(token -> calls.ask(ask, token));
  }

  <T> Future<T> ask(HttpAsk ask, Class<T> type) {
    return ask(ask).map(answer -> ClientJson.read(answer, type));
  }

  /// @param reader takes a good answer, from its first byte on
  <T> Future<T> ask(HttpAsk ask, Function<HttpClientResponse, Future<T>> reader) {
    return renewing(token -> calls.ask(ask, token, reader));
  }

  private <T> Future<T> renewing(Function<Secret, Future<T>> call) {
    return signIn
        .current()
        .compose(
            kept ->
                call.apply(kept.accessToken())
                    .recover(
                        failure ->
                            isUnauthorized(failure)
                                ? signIn
                                    .renew(kept.accessToken())
                                    .compose(renewed -> call.apply(renewed.accessToken()))
                                : Future.failedFuture(failure)));
  }

  private static boolean isUnauthorized(Throwable failure) {
    return failure instanceof ApiException refusal
        && refusal.status() == ErrorCode.UNAUTHORIZED.httpStatus();
  }

  /// All pages of a list.
  ///
  /// @param plural the field in which a page has its part
  <T> Future<List<T>> pages(String path, String plural, Class<T> type) {
    return page(path, null, plural, type, List.of());
  }

  private <T> Future<List<T>> page(
      String path, @Nullable String next, String plural, Class<T> type, List<T> before) {
    String after = next == null ? "" : (path.contains("?") ? "&" : "?") + "after=" + encoded(next);
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
