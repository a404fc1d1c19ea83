package io.confab.http;

import io.confab.protocol.EntityTag;
import io.confab.protocol.Json;
import io.reactivex.rxjava3.core.Flowable;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The answer of an endpoint.
sealed interface Answer {
  int OK = 200;
  int CREATED = 201;
  int ACCEPTED = 202;
  int NO_CONTENT = 204;
  int NOT_MODIFIED = 304;
  String JSON = "application/json";

  int status();

  /// The same answer, whose pieces are sent only while the caller may call.
  ///
  /// @param check fails when the caller no longer may
  default Answer whileAllowed(Supplier<Future<?>> check) {
    return this;
  }

  /// A status and, where there is content, a JSON object.
  ///
  /// @param tag of the thing that is answered, where it has one
  record Whole(int status, String contentType, @Nullable Buffer content, @Nullable EntityTag tag)
      implements Answer {}

  /// A file of the web client, or that the caller has it already.
  ///
  /// @param zipped whether as gzip
  record File(int status, WebFile file, boolean zipped) implements Answer {}

  /// Content that is made while it is sent. When a piece fails, the connection closes before the
  /// end of the answer, so that no client takes a part for the whole.
  ///
  /// @param allowed is asked before each piece
  record Streamed(String contentType, Flowable<Buffer> content, Supplier<Future<?>> allowed)
      implements Answer {
    Streamed(String contentType, Flowable<Buffer> content) {
      this(contentType, content, Future::succeededFuture);
    }

    @Override
    public int status() {
      return OK;
    }

    @Override
    public Answer whileAllowed(Supplier<Future<?>> check) {
      return new Streamed(contentType, content, check);
    }
  }

  static Answer ok(Object content) {
    return of(OK, content);
  }

  static Answer created(Object content) {
    return of(CREATED, content);
  }

  /// A thing and the tag of its state.
  static Answer tagged(EntityTag tag, Object content) {
    return new Whole(OK, JSON, Buffer.buffer(Json.bytes(content)), tag);
  }

  /// Tells the client that what it has is still the newest state.
  static Answer notModified(EntityTag tag) {
    return new Whole(NOT_MODIFIED, JSON, null, tag);
  }

  /// 201 for a thing that is new, 200 for one that was there.
  static Answer made(boolean isNew, Object content) {
    return of(isNew ? CREATED : OK, content);
  }

  /// For what waits for somebody's word.
  static Answer accepted(Object content) {
    return of(ACCEPTED, content);
  }

  static Answer noContent() {
    return new Whole(NO_CONTENT, JSON, null, null);
  }

  static Answer of(int status, Object content) {
    return of(status, JSON, content);
  }

  /// @param contentType some kind of JSON
  static Answer of(int status, String contentType, Object content) {
    return new Whole(status, contentType, Buffer.buffer(Json.bytes(content)), null);
  }
}
