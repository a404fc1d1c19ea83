package io.confab.http;

import io.confab.limit.EdgeLimits;
import io.confab.limit.Limit;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/// Decides by the head of a request who may call and how often. What it admits is answered by the
/// endpoint that comes of it, once the body is there.
final class Admissions {
  private final CallerAuthentication authentication;
  private final EdgeLimits limits;

  /// Of one route.
  interface Admission {
    Future<Endpoint> admit(Call call);
  }

  Admissions(CallerAuthentication authentication, EdgeLimits limits) {
    this.authentication = authentication;
    this.limits = limits;
  }

  /// Callers with any credential, by account.
  Admission signedIn(Limit limit, Endpoint.SignedIn endpoint) {
    return byAccount(limit, authentication::account, endpoint::answer);
  }

  /// Callers with a token of any issuer, by account; not the server API key.
  Admission byToken(Limit limit, Endpoint.SignedIn endpoint) {
    return byAccount(limit, authentication::bearer, endpoint::answer);
  }

  /// Callers who are signed in on a device, by account; not the server API key, nor tokens that
  /// are bound to no device.
  Admission onDevice(Limit limit, Endpoint.OnDevice endpoint) {
    return byAccount(limit, authentication::device, endpoint::answer);
  }

  /// As [#onDevice], by the sign-in.
  Admission bySignIn(Limit limit, Endpoint.BySignIn endpoint) {
    return byAccount(limit, authentication::signIn, endpoint::answer);
  }

  private <C> Admission byAccount(
      Limit limit,
      Function<Call, Future<Admitted<C>>> identify,
      BiFunction<C, Call, Future<Answer>> endpoint) {
    requireCounting(limit, Limit.Who.ACCOUNT);
    return call ->
        identify
            .apply(call)
            .map(
                caller -> {
                  AccountId account = caller.account();
                  SecurityWatch.caller(call, account);
                  take(call, limit, account.toString());
                  return whole ->
                      endpoint
                          .apply(caller.who(), whole)
                          .map(answer -> answer.whileAllowed(caller.stands()));
                });
  }

  /// Server admins and the API key, by address.
  Admission administrators(Limit limit, Endpoint endpoint) {
    return byAddress(limit, authentication::administrator, endpoint);
  }

  /// The API key alone, by address.
  Admission backends(Limit limit, Endpoint endpoint) {
    return byAddress(limit, authentication::backend, endpoint);
  }

  private Admission byAddress(
      Limit limit, Function<Call, Future<Void>> identify, Endpoint endpoint) {
    requireCounting(limit, Limit.Who.ADDRESS);
    return call ->
        identify
            .apply(call)
            .map(
                _ -> {
                  take(call, limit, call.address().group());
                  return endpoint;
                });
  }

  /// Everybody, by address, and only calls whose content can be read count.
  Admission everybody(Limit limit, Endpoint.Open endpoint) {
    requireCounting(limit, Limit.Who.ADDRESS);
    return call ->
        authentication
            .anybody(call)
            .map(
                _ -> {
                  RateFields.counts(call.context(), limit, call.address().group());
                  limits.limits().check(limit, call.address().group());
                  return whole -> {
                    Supplier<Future<Answer>> work = endpoint.read(whole);
                    take(whole, limit, whole.address().group());
                    return work.get();
                  };
                });
  }

  private static void requireCounting(Limit limit, Limit.Who who) {
    if (limit.who() != who) {
      throw new IllegalArgumentException(limit + " does not count by " + who);
    }
  }

  private void take(Call call, Limit limit, String who) {
    RateFields.counts(call.context(), limit, who);
    limits.limits().take(limit, who);
  }
}
