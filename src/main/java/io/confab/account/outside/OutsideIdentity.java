package io.confab.account.outside;

/// Who somebody is elsewhere: what an issuer calls its subject. The same subject of two issuers
/// is two people.
public record OutsideIdentity(String issuer, String subject) {}
