package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.time.Ticks;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.parsetools.RecordParser;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads an export line by line, the next one only when the sink has taken the one before. The sink
/// may take its time; a server that leaves the sink waiting may not.
final class ExportReader {
  private static final int LONGEST_LINE = 1 << 20;

  private final LineSink sink;
  private final Promise<ExportEnd> whole = Promise.promise();
  private final Duration silence;
  private @Nullable ExportEnd end;

  /// Whether the sink has a line.
  private boolean taking;

  /// Whether no line has come since the last check.
  private boolean quiet;

  /// @param silence how long the server may take, twice at most, for the next line
  ExportReader(LineSink sink, Duration silence) {
    this.sink = sink;
    this.silence = silence;
  }

  Future<ExportEnd> read(HttpClientResponse response) {
    Context context = Objects.requireNonNull(Vertx.currentContext(), "on an event loop");
    Ticks watch = new Ticks(context.owner(), silence, () -> watch(response));
    watch.start();
    whole.future().onComplete(_ -> watch.stop());
    RecordParser lines = RecordParser.newDelimited("\n", response);
    lines.maxRecordSize(LONGEST_LINE);
    lines.exceptionHandler(failure -> whole.tryFail(broken(ApiException.words(failure))));
    lines.endHandler(_ -> ended());
    lines.handler(
        line -> {
          lines.pause();
          quiet = false;
          taking = true;
          take(line)
              .onComplete(
                  taken ->
                      context.runOnContext(
                          _ -> {
                            taking = false;
                            quiet = false;
                            if (taken.succeeded()) {
                              lines.resume();
                            } else if (whole.tryFail(taken.cause())) {
                              response.request().reset();
                            }
                          }));
        });
    return whole.future();
  }

  private void watch(HttpClientResponse response) {
    if (!taking && quiet && whole.tryFail(broken("the server fell silent"))) {
      response.request().reset();
    }
    quiet = true;
  }

  private Future<Void> take(Buffer line) {
    String json = line.toString();
    if (json.isBlank()) {
      return Future.succeededFuture();
    }
    if (json.contains("\"end\"")) {
      JsonNode node = ClientJson.tree(json);
      end = node.path("end").asBoolean() ? ClientJson.read(node, ExportEnd.class) : end;
    }
    return sink.line(json);
  }

  private void ended() {
    if (end == null) {
      whole.tryFail(broken("it ended early"));
    } else {
      whole.tryComplete(end);
    }
  }

  private static ApiException broken(String why) {
    return ApiException.local(ApiException.UNREACHABLE, "the export is not whole: " + why);
  }
}
