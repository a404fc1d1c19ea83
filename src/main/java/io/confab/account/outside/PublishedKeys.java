package io.confab.account.outside;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Reads the key set that an issuer publishes at the address of the configuration: no redirect is
/// followed, and neither size nor time is the issuer's choice.
public final class PublishedKeys {
  private static final int OK = 200;
  private static final int MOST_BYTES = 262_144;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final HttpClient client;
  private final Duration patience;

  /// @param vertx closes the connections when it is closed
  public PublishedKeys(Vertx vertx) {
    this(vertx, PATIENCE);
  }

  PublishedKeys(Vertx vertx, Duration patience) {
    this.patience = patience;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout((int) patience.toMillis())
                .setKeepAlive(false)
                .setDecompressionSupported(false)
                .setName("jwks"),
            new PoolOptions().setHttp1MaxSize(4).setMaxWaitQueueSize(32));
  }

  /// Fails, never later than after its patience (five seconds), when there is no key set to be had.
  Future<List<VerificationKey>> read(String url) {
    return client
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(url)
                .setFollowRedirects(false)
                .putHeader("accept", "application/json"))
        .compose(
            request ->
                request
                    .send()
                    .compose(PublishedKeys::body)
                    .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .onFailure(_ -> request.reset()))
        .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .map(PublishedKeys::keys);
  }

  private static Future<String> body(HttpClientResponse response) {
    if (response.statusCode() != OK) {
      return Future.failedFuture("the answer has status " + response.statusCode());
    }
    Promise<String> body = Promise.promise();
    Buffer read = Buffer.buffer();
    response.handler(
        chunk -> {
          if (read.length() + chunk.length() > MOST_BYTES) {
            body.tryFail("the answer has more than " + MOST_BYTES + " bytes");
          } else {
            read.appendBuffer(chunk);
          }
        });
    response.exceptionHandler(body::tryFail);
    response.endHandler(_ -> body.tryComplete(read.toString(StandardCharsets.UTF_8)));
    return body.future();
  }

  private static List<VerificationKey> keys(String body) {
    return PublicKeys.ofSet(body)
        .orElseThrow(() -> new IllegalStateException("the answer is not a key set"));
  }
}
