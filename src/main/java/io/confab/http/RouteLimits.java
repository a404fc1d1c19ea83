package io.confab.http;

import io.confab.limit.Limit;
import io.vertx.core.http.HttpMethod;
import java.util.Map;

/// Which limit a route of the signed-in counts against: those in the table against their own,
/// other reads against `reads`, other changes against `writes`.
final class RouteLimits {
  private static final String ADMIN = "/v1/admin/";
  private static final Map<String, Limit> OWN =
      Map.ofEntries(
          Map.entry("POST /v1/tickets", Limit.TICKETS),
          Map.entry("PATCH /v1/me", Limit.RENAMES),
          Map.entry("POST /v1/rooms", Limit.ROOMS),
          Map.entry("PATCH /v1/rooms/:room_id", Limit.MEMBERS),
          Map.entry("DELETE /v1/rooms/:room_id", Limit.MEMBERS),
          Map.entry("POST /v1/rooms/:room_id/join", Limit.JOINS),
          Map.entry("POST /v1/invites/:code", Limit.JOINS),
          Map.entry("PUT /v1/rooms/:room_id/members/:account_id", Limit.MEMBERS),
          Map.entry("DELETE /v1/rooms/:room_id/members/:account_id", Limit.MEMBERS),
          Map.entry("POST /v1/rooms/:room_id/messages", Limit.SENDS),
          Map.entry("PATCH /v1/rooms/:room_id/messages/:seq", Limit.CHANGES),
          Map.entry("DELETE /v1/rooms/:room_id/messages/:seq", Limit.CHANGES),
          Map.entry("GET /v1/rooms/:room_id/export", Limit.EXPORTS));

  private RouteLimits() {}

  /// @param template as for [Routes]
  static Limit of(HttpMethod method, String template) {
    String path = template.split("\\?", 2)[0];
    Limit usual =
        path.startsWith(ADMIN)
            ? Limit.ADMIN
            : method.equals(HttpMethod.GET) ? Limit.READS : Limit.WRITES;
    return OWN.getOrDefault(method + " " + path, usual);
  }
}
