package io.confab.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.WireName;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Runs local commands in the node that runs on a data folder. Blocks.
public final class ManagementClient implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final JsonMapper JSON = new JsonMapper();

  private final Path dataDir;
  private final ManagementFile node;
  private final HttpClient http;

  private ManagementClient(Path dataDir, ManagementFile node) {
    this.dataDir = dataDir;
    this.node = node;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
  }

  /// The running node's client; empty when none runs on this folder, also when a killed node left
  /// its `management.json` behind.
  public static Optional<ManagementClient> find(Path dataDir) throws IOException {
    Optional<ManagementClient> client =
        ManagementFile.read(dataDir).map(node -> new ManagementClient(dataDir, node));
    if (client.isPresent() && !client.get().isLive()) {
      client.get().close();
      return Optional.empty();
    }
    return client;
  }

  /// The node's answer. Refusals of the command come as [Refusal].
  public JsonNode run(String command, JsonNode body) throws IOException {
    HttpResponse<String> response =
        send(
            request("/manage/" + command)
                .header("authorization", "Bearer " + node.secret())
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
    JsonNode answer = parse(response);
    if (response.statusCode() == ErrorCode.UNAUTHORIZED.httpStatus()) {
      throw new Refusal(ErrorCode.UNAUTHORIZED, otherNode());
    }
    if (response.statusCode() != 200) {
      throw refusal(answer.path("error"));
    }
    return answer;
  }

  @Override
  public void close() {
    http.close();
  }

  private boolean isLive() throws IOException {
    try {
      return send(request("/health/live").GET()).statusCode() == 200;
    } catch (ConnectException e) {
      return false;
    }
  }

  private HttpRequest.Builder request(String path) {
    String host = node.host().contains(":") ? "[" + node.host() + "]" : node.host();
    return HttpRequest.newBuilder(URI.create("http://" + host + ":" + node.port() + path))
        .timeout(TIMEOUT);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private JsonNode parse(HttpResponse<String> response) throws IOException {
    try {
      return JSON.readTree(response.body());
    } catch (JsonProcessingException e) {
      throw new IOException(node + " does not answer like Confab", e);
    }
  }

  private String otherNode() {
    return "The node at %s:%d refuses the secret in %s: another node has this port now. Restart the node of this folder, or remove the file where none runs"
        .formatted(node.host(), node.port(), ManagementFile.path(dataDir));
  }

  private static Refusal refusal(JsonNode error) {
    String wire = error.path("code").asText();
    ErrorCode code = WireName.find(ErrorCode.class, wire).orElse(ErrorCode.INTERNAL);
    return new Refusal(
        code, error.path("field").asText(null), error.path("message").asText("no reason given"));
  }
}
