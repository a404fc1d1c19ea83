package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.parsetools.RecordParser;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads an export line by line, the next one only when its reader has taken the one before.
final class ExportReader {
  private static final int LONGEST_LINE = 1 << 20;

  private final LineSink sink;
  private final Promise<ExportEnd> whole = Promise.promise();
  private @Nullable ExportEnd end;

  ExportReader(LineSink sink) {
    this.sink = sink;
  }

  Future<ExportEnd> read(HttpClientResponse response) {
    Context context = Objects.requireNonNull(Vertx.currentContext(), "on an event loop");
    RecordParser lines = RecordParser.newDelimited("\n", response);
    lines.maxRecordSize(LONGEST_LINE);
    lines.exceptionHandler(failure -> whole.tryFail(broken(failure.toString())));
    lines.endHandler(_ -> ended());
    lines.handler(
        line -> {
          lines.pause();
          take(line)
              .onComplete(
                  taken ->
                      context.runOnContext(
                          _ -> {
                            if (taken.succeeded()) {
                              lines.resume();
                            } else if (whole.tryFail(taken.cause())) {
                              response.request().reset();
                            }
                          }));
        });
    return whole.future();
  }

  private Future<Void> take(Buffer line) {
    String json = line.toString();
    if (json.isBlank()) {
      return Future.succeededFuture();
    }
    if (json.contains("\"end\"")) {
      JsonNode node = Wire.tree(json);
      end = node.path("end").asBoolean() ? Wire.read(node, ExportEnd.class) : end;
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
