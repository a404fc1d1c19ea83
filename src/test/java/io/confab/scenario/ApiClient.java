package io.confab.scenario;

import io.confab.contract.Contract;
import io.confab.contract.HttpContract.Exchange;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A caller of the HTTP API of one node, as one account or as nobody.
public final class ApiClient {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  public static final String PASSWORD = "correct horse";

  private final int port;
  private final @Nullable String token;
  private final Map<String, String> headers;

  /// An answer with its status; 204 has an empty body.
  public record Answer(int status, JsonObject body) {
    public String code() {
      return body.getJsonObject("error").getString("code");
    }
  }

  private ApiClient(int port, @Nullable String token) {
    this(port, token, Map.of());
  }

  private ApiClient(int port, @Nullable String token, Map<String, String> headers) {
    this.port = port;
    this.token = token;
    this.headers = headers;
  }

  /// A caller with other headers than an access token.
  public static ApiClient withHeaders(int port, Map<String, String> headers) {
    return new ApiClient(port, null, headers);
  }

  public static ApiClient stranger(int port) {
    return new ApiClient(port, null);
  }

  public static ApiClient bearer(int port, String token) {
    return new ApiClient(port, token);
  }

  /// Signs up, unless the handle is taken, and signs in.
  public static Person person(int port, String handle, String displayName) {
    ApiClient stranger = stranger(port);
    stranger.call(
        "POST",
        "/v1/accounts",
        new JsonObject()
            .put("handle", handle)
            .put("password", PASSWORD)
            .put("display_name", displayName));
    return signIn(port, handle, null);
  }

  public static Person signIn(int port, String handle, @Nullable String deviceId) {
    JsonObject device = new JsonObject().put("name", "test").put("platform", "test");
    if (deviceId != null) {
      device.put("device_id", deviceId);
    }
    JsonObject tokens =
        stranger(port)
            .ok(
                "POST",
                "/v1/tokens",
                new JsonObject()
                    .put("handle", handle)
                    .put("password", PASSWORD)
                    .put("device", device));
    return new Person(
        handle,
        tokens.getString("account_id"),
        tokens.getString("device_id"),
        tokens.getString("access_token"),
        tokens.getString("refresh_token"));
  }

  /// A signed-in account.
  public record Person(
      String handle, String accountId, String deviceId, String token, String refreshToken) {
    /// Signs in anew, as a device that the server makes.
    public Person onAnotherDevice(int port) {
      return signIn(port, handle, null);
    }

    public ApiClient at(int port) {
      return new ApiClient(port, token);
    }
  }

  /// The body of an answer that must be a success.
  public JsonObject ok(String method, String path, @Nullable JsonObject body) {
    Answer answer = call(method, path, body);
    if (answer.status() >= 300) {
      throw new AssertionError(method + " " + path + ": " + answer);
    }
    return answer.body();
  }

  public Answer call(String method, String path, @Nullable JsonObject body) {
    HttpResponse<String> response = exchange(method, path, body == null ? null : body.encode());
    String text = response.body();
    return new Answer(
        response.statusCode(), text.isEmpty() ? new JsonObject() : new JsonObject(text));
  }

  /// A call and its answer as they stand on the wire.
  public HttpResponse<String> exchange(String method, String path, @Nullable String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofMinutes(1))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (body != null) {
      request.header("content-type", "application/json");
    }
    if (token != null) {
      request.header("authorization", "Bearer " + token);
    }
    headers.forEach(request::header);
    return send(request.build(), body);
  }

  /// The content of an answer that is no JSON object.
  public String text(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofMinutes(1))
            .header("authorization", "Bearer " + token)
            .build();
    HttpResponse<String> response = send(request, null);
    if (response.statusCode() != 200) {
      throw new AssertionError(path + ": " + response.body());
    }
    return response.body();
  }

  private static HttpResponse<String> send(HttpRequest request, @Nullable String body) {
    try {
      HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
      Contract.saw(
          new Exchange(
              request.method(),
              request.uri().toString().replaceFirst("^http://[^/]+", ""),
              body,
              response.statusCode(),
              response.headers().firstValue("content-type"),
              response.body()));
      return response;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// Makes a channel and answers its id.
  public String channel(String name) {
    return ok("POST", "/v1/rooms", new JsonObject().put("type", "channel").put("name", name))
        .getString("room_id");
  }

  public void join(String roomId) {
    ok("POST", "/v1/rooms/" + roomId + "/join", null);
  }
}
