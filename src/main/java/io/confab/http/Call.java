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

/// A request as its endpoint sees it.
///
/// @param address of the client
/// @param content the body, empty before it is read and where there is none
record Call(RoutingContext context, Query query, ClientAddress address, Buffer content) {
  private static final byte[] NO_FIELDS = "{}".getBytes(StandardCharsets.UTF_8);

  /// The call with its body.
  Call with(Buffer body) {
    return new Call(context, query, address, body);
  }

  /// The fields of the body. Refusal: `invalid_json`, also where there is no body.
  Fields body() {
    return Json.object(content.getBytes());
  }

  /// The fields of the body, none when there is no body.
  Fields optionalBody() {
    return Json.object(content.length() == 0 ? NO_FIELDS : content.getBytes());
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
