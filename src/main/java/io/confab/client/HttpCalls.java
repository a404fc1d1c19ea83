package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes HTTP requests at the first address that answers. A request that was not sent is made at
/// the next address; one whose answer was lost is made again only as often as it allows. While a
/// server is still at the lost one that makes something, it is asked more and more slowly, in all
/// for as long as it keeps a key for a node that died (30 s).
final class HttpCalls {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int FIRST_ERROR = 300;

  private final Vertx vertx;
  private final HttpClient http;
  private final Addresses addresses;
  private final Duration answer;

  /// @param answer how long a server may be silent
  HttpCalls(Vertx vertx, Addresses addresses, Duration answer) {
    this.vertx = vertx;
    this.http = vertx.createHttpClient();
    this.addresses = addresses;
    this.answer = answer;
  }

  /// @param authorization value of the header
  /// @return the answer's body, a missing node where it has none; fails with [ApiException].
  Future<JsonNode> ask(HttpAsk ask, @Nullable Secret authorization) {
    return ask(
        ask,
        authorization,
        response ->
            response.body().timeout(answer.toMillis(), TimeUnit.MILLISECONDS).map(HttpCalls::json));
  }

  /// @param reader takes a good answer, from its first byte on
  <T> Future<T> ask(
      HttpAsk ask, @Nullable Secret authorization, Function<HttpClientResponse, Future<T>> reader) {
    Optional<Buffer> body;
    try {
      body = Optional.ofNullable(ask.body()).map(json -> Buffer.buffer(ClientJson.bytes(json)));
    } catch (UncheckedIOException fault) {
      return Future.failedFuture(
          ApiException.local(ErrorCode.INVALID_FIELD.wire(), "no JSON: " + fault.getMessage()));
    }
    return attempt(
        new Attempt<>(ask, body, authorization, reader), addresses.count(), ask.repeats());
  }

  /// @param body as bytes, made before the connection: failing to write it is no connection's fault
  private record Attempt<T>(
      HttpAsk ask,
      Optional<Buffer> body,
      @Nullable Secret authorization,
      Function<HttpClientResponse, Future<T>> reader) {}

  private <T> Future<T> attempt(Attempt<T> attempt, int addressesLeft, int repeatsLeft) {
    int address = addresses.current();
    return http.request(options(addresses.at(address), attempt))
        .transform(
            opened -> {
              if (opened.succeeded()) {
                return exchange(opened.result(), attempt)
                    .recover(
                        failure -> again(failure, attempt, address, addressesLeft, repeatsLeft));
              }
              addresses.failed(address);
              return addressesLeft > 1
                  ? attempt(attempt, addressesLeft - 1, repeatsLeft)
                  : Future.failedFuture(unreachable(opened.cause()));
            });
  }

  private <T> Future<T> again(
      Throwable failure, Attempt<T> attempt, int address, int addressesLeft, int repeatsLeft) {
    int repeated = attempt.ask().repeats() - repeatsLeft;
    if (isUnderWay(failure, attempt.ask()) && repeated > 0 && repeatsLeft > 0) {
      return vertx
          .timer(PAUSE.toMillis() << repeated)
          .compose(_ -> attempt(attempt, addressesLeft, repeatsLeft - 1));
    }
    if (!isLost(failure)) {
      return Future.failedFuture(failure);
    }
    addresses.failed(address);
    return repeatsLeft > 0
        ? attempt(attempt, Math.max(1, addressesLeft - 1), repeatsLeft - 1)
        : Future.failedFuture(unreachable(failure));
  }

  /// Whether the connection, not the server or the reader of its answer, is at fault.
  private static boolean isLost(Throwable failure) {
    return failure instanceof IOException
        || failure instanceof UncheckedIOException
        || failure instanceof TimeoutException
        || failure instanceof VertxException;
  }

  private static boolean isUnderWay(Throwable failure, HttpAsk ask) {
    return ask.key() != null
        && failure instanceof ApiException refusal
        && refusal.is(ErrorCode.UNAVAILABLE);
  }

  private static ApiException unreachable(Throwable cause) {
    return ApiException.local(
        ApiException.UNREACHABLE, "no server answered: " + ApiException.words(cause));
  }

  private RequestOptions options(URI server, Attempt<?> attempt) {
    RequestOptions options =
        new RequestOptions()
            .setAbsoluteURI(server.resolve(attempt.ask().path()).toString())
            .setMethod(attempt.ask().method())
            .setConnectTimeout(CONNECT.toMillis())
            .setIdleTimeout(attempt.ask().streamed() ? 0 : answer.toMillis());
    if (attempt.body().isPresent()) {
      options.putHeader("content-type", "application/json");
    }
    if (attempt.authorization() != null) {
      options.putHeader("authorization", attempt.authorization().value());
    }
    if (attempt.ask().key() != null) {
      options.putHeader("idempotency-key", attempt.ask().key());
    }
    return options;
  }

  private <T> Future<T> exchange(HttpClientRequest request, Attempt<T> attempt) {
    Future<HttpClientResponse> response =
        attempt.body().map(request::send).orElseGet(request::send);
    return response
        .timeout(answer.toMillis(), TimeUnit.MILLISECONDS)
        .onFailure(_ -> request.reset())
        .compose(
            begun ->
                begun.statusCode() < FIRST_ERROR
                    ? attempt.reader().apply(begun)
                    : begun
                        .body()
                        .timeout(answer.toMillis(), TimeUnit.MILLISECONDS)
                        .compose(text -> Future.failedFuture(refusal(begun.statusCode(), text))));
  }

  private static JsonNode json(Buffer body) {
    return body.length() == 0 ? MissingNode.getInstance() : ClientJson.tree(body.getBytes());
  }

  /// The error that a server, or a proxy before it, answered.
  private static ApiException refusal(int status, Buffer body) {
    JsonNode error = MissingNode.getInstance();
    try {
      error = json(body).path("error");
    } catch (UncheckedIOException _) {
      // not one of our servers' answers
    }
    return ApiErrors.read(error, status);
  }

  void close() {
    http.close();
  }
}
