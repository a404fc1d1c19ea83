package io.confab.config;

/// What is wrong in a part of a value.
///
/// @param place from the key on, such as `[0].audience`; empty: the whole
/// @param says what would be right; never what was given, which may be secret
record ConfigFault(String place, String says) {}
