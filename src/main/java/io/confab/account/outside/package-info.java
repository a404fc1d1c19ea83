/// Users of one's own: people whom outside issuers vouch for by signed tokens (JWT).
///
/// ```
/// token ─ SignedToken ─ IssuerKeys (configuration, JWKS) ─ claims ─ OutsideToken
///                                                                      │ (issuer, subject)
///                                              outside_identity ─ account ─ device
/// ```
///
/// A token is taken apart, its issuer is looked up in the configuration, and only keys of that
/// issuer are tried, each by the one algorithm that it is for; nimbus-jose-jwt parses and
/// verifies. An account is found by issuer and subject alone, never by handle or e-mail, and is
/// made at first use. On a socket the bearer names a device, which gets a family as if it had
/// signed in, so that displacement, removal and suspension work alike for all devices.
///
/// Owns the table `outside_identity`; writes `account` and `device` beside it.
@NullMarked
package io.confab.account.outside;

import org.jspecify.annotations.NullMarked;
