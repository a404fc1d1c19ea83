package io.confab.http;

import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.TextRules;
import io.confab.security.SecurityEvent;
import io.confab.security.SecurityLog;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Tells the security log of calls, once they are answered. Endpoints name the caller and the
/// account that a call is about by [#caller] and its like, as soon as they learn them.
final class SecurityWatch {
  private static final String CALLER = "caller";
  private static final String ACCOUNT = "account";
  private static final String HANDLE = "handle";
  private static final String ADMITTED = "admitted";
  private static final String ENDED = "ended";
  private static final String API_KEY = "api_key";
  private static final String ADMINISTRATION = "/v1/admin/";

  private final SecurityLog log;

  SecurityWatch(SecurityLog log) {
    this.log = log;
  }

  static void caller(Call call, AccountId caller) {
    call.context().put(CALLER, caller);
  }

  /// Who calls, once that is known: an account, or the API key in its own name.
  static Optional<String> callerOf(RoutingContext context) {
    AccountId account = context.get(CALLER);
    if (account != null) {
      return Optional.of(account.toString());
    }
    boolean isKey = context.get(ADMITTED) != null && CallerAuthentication.isByKey(context);
    return isKey ? Optional.of(API_KEY) : Optional.empty();
  }

  /// The account that calls, as far as it is known; null for the API key in its own name.
  static @Nullable AccountId caller(Call call) {
    return call.context().get(CALLER);
  }

  /// The call bears the API key, or is of a server admin.
  static void admitted(Call call) {
    call.context().put(ADMITTED, true);
  }

  /// The call ended a sign-in.
  static void signInEnded(Call call) {
    call.context().put(ENDED, true);
  }

  static void account(Call call, AccountId account) {
    call.context().put(ACCOUNT, account);
  }

  /// A handle as somebody typed it: what cannot be one may be a password, and is not told.
  static void handle(Call call, String typed) {
    TextRules.findHandle(typed).ifPresent(handle -> call.context().put(HANDLE, handle));
  }

  /// A call of a route was answered, or failed.
  void ended(RoutingContext context, @Nullable Throwable failure) {
    Refusal refusal = failure instanceof Refusal known ? known : null;
    if (failure == null || refusal != null) {
      event(context, refusal)
          .ifPresent(
              event ->
                  log.happened(event, Arrival.address(context).group(), about(context, refusal)));
    }
  }

  private static Optional<SecurityEvent> event(RoutingContext context, @Nullable Refusal refusal) {
    ErrorCode refused = refusal == null ? null : refusal.code();
    String path = context.currentRoute().getPath();
    boolean admitted = context.get(ADMITTED) != null;
    if (path.startsWith(ADMINISTRATION)) {
      boolean shut = !admitted || refused == ErrorCode.FORBIDDEN;
      return Optional.of(shut ? SecurityEvent.ADMIN_REFUSED : SecurityEvent.ADMIN_CALL);
    }
    if (CallerAuthentication.isByKey(context)) {
      return Optional.of(admitted ? SecurityEvent.KEY_CALL : SecurityEvent.ADMIN_REFUSED);
    }
    return switch (context.request().method() + " " + path) {
      case "POST /v1/tokens" -> attempt(refused, refused == ErrorCode.UNAUTHORIZED);
      case "PUT /v1/me/password" ->
          refused == null
              ? Optional.of(SecurityEvent.SIGN_IN_ENDED)
              : attempt(refused, isAbout(refusal, "old"));
      case "DELETE /v1/me" ->
          refused == null
              ? Optional.of(SecurityEvent.SIGN_IN_ENDED)
              : attempt(refused, isAbout(refusal, "password"));
      case "POST /v1/tokens/refresh" ->
          // whose token it was is known of a replay alone
          refused != null && context.get(ACCOUNT) != null
              ? Optional.of(SecurityEvent.REFRESH_REPLAYED)
              : Optional.empty();
      case "DELETE /v1/tokens" ->
          refused == null ? Optional.of(SecurityEvent.SIGN_IN_ENDED) : Optional.empty();
      case "PUT /v1/me/identity" ->
          refused == null ? Optional.of(SecurityEvent.IDENTITY_CHANGED) : Optional.empty();
      case "DELETE /v1/devices/:device_id" ->
          context.get(ENDED) == null ? Optional.empty() : Optional.of(SecurityEvent.SIGN_IN_ENDED);
      default -> Optional.empty();
    };
  }

  private static boolean isAbout(@Nullable Refusal refusal, String field) {
    return refusal != null && refusal.field().equals(Optional.of(field));
  }

  private static Optional<SecurityEvent> attempt(@Nullable ErrorCode refused, boolean wrong) {
    if (refused == ErrorCode.RATE_LIMITED) {
      return Optional.of(SecurityEvent.SIGN_IN_THROTTLED);
    }
    return wrong ? Optional.of(SecurityEvent.SIGN_IN_FAILED) : Optional.empty();
  }

  private static Map<String, String> about(RoutingContext context, @Nullable Refusal refusal) {
    Map<String, String> about = new LinkedHashMap<>();
    about.put("call", context.request().method() + " " + context.currentRoute().getPath());
    for (String key : new String[] {CALLER, ACCOUNT, HANDLE}) {
      if (context.get(key) != null) {
        about.put(key, context.get(key).toString());
      }
    }
    if (refusal != null) {
      about.put("refused", refusal.code().wire());
    }
    about.put("request_id", AnswerWriter.requestId(context));
    return about;
  }
}
