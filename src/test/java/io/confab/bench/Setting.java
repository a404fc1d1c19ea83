package io.confab.bench;

/// What all parts share.
record Setting(Options options, Driver driver, Rounds rounds) {}
