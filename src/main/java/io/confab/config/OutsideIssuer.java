package io.confab.config;

import io.confab.protocol.Secret;
import java.util.List;
import java.util.Optional;

/// Somebody whose tokens are believed: what they must say, and by which keys they are signed.
///
/// @param issuer what `iss` must be
/// @param audience what `aud` must be, or contain
/// @param secret key of HS256
/// @param publicKeys keys of the others, each in PEM or a JWK
/// @param jwksUrl where more public keys are
public record OutsideIssuer(
    String issuer,
    String audience,
    List<TokenAlgorithm> algorithms,
    Optional<Secret> secret,
    List<String> publicKeys,
    Optional<String> jwksUrl) {}
