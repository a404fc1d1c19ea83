package io.confab.http;

import io.confab.listener.ClientAddress;
import io.confab.protocol.AccountId;
import io.confab.protocol.Fields;
import io.confab.protocol.Json;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request as its endpoint sees it.
///
/// @param address of the client
record Call(RoutingContext context, Query query, ClientAddress address) {
  private static final byte[] NO_FIELDS = "{}".getBytes(StandardCharsets.UTF_8);

  /// The fields of the body. Refusal: `invalid_json`, also where there is no body.
  Fields body() {
    @Nullable Buffer body = context.body().buffer();
    return Json.object(body == null ? new byte[0] : body.getBytes());
  }

  /// The fields of the body, none when there is no body.
  Fields optionalBody() {
    @Nullable Buffer body = context.body().buffer();
    return Json.object(body == null || body.length() == 0 ? NO_FIELDS : body.getBytes());
  }

  /// For calls without fields: takes no body, or an empty object.
  void requireNoFields() {
    optionalBody().end();
  }

  List<String> authorization() {
    return context.request().headers().getAll(HttpHeaders.AUTHORIZATION);
  }

  List<String> headers(String name) {
    return context.request().headers().getAll(name);
  }

  /// The room in the path. Refusal: `not_found`.
  RoomId room() {
    return RoomId.parse(context.pathParam("room_id"));
  }

  /// The message in the path. Refusal: `not_found`.
  Seq seq() {
    return Seq.parse(context.pathParam("seq"));
  }

  /// The account in the path. Refusal: `not_found`.
  AccountId account() {
    return AccountId.parse(context.pathParam("account_id"));
  }

  /// The account in the path, where `me` is the caller. Refusal: `not_found`.
  AccountId account(AccountId caller) {
    return context.pathParam("account_id").equals("me") ? caller : account();
  }
}
