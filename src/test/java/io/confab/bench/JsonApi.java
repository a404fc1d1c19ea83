package io.confab.bench;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Calls of Confab's HTTP API, as the server API key or for one account.
final class JsonApi {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final String root;
  private final String authorization;

  /// @param authorization the header
  JsonApi(int port, String authorization) {
    this.root = "http://127.0.0.1:" + port;
    this.authorization = authorization;
  }

  JsonObject post(String path, JsonObject body, @Nullable String as) {
    return call("POST", path, body, as == null ? Map.of() : Map.of("x-confab-as", as));
  }

  JsonObject put(String path, JsonObject body) {
    return call("PUT", path, body, Map.of());
  }

  JsonObject patch(String path, JsonObject body) {
    return call("PATCH", path, body, Map.of());
  }

  JsonObject get(String path) {
    return call("GET", path, null, Map.of());
  }

  private JsonObject call(
      String method, String path, @Nullable JsonObject body, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(root + path))
            .timeout(Duration.ofMinutes(1))
            .header("authorization", authorization)
            .header("content-type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body.encode()));
    headers.forEach(request::header);
    try {
      HttpResponse<String> answer =
          HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (!List.of(200, 201).contains(answer.statusCode())) {
        throw new IllegalStateException(method + " " + path + ": " + answer.body());
      }
      return new JsonObject(answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
