package io.confab.chaos;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// One thing to break, and how to tell that somebody noticed.
///
/// @param hold how long it lasts
/// @param begin breaks it, and answers what looks for an effect; empty as long as there is none
/// @param end makes it whole; what takes long goes on by itself
record Fault(
    String name,
    String target,
    Duration hold,
    Supplier<Supplier<Optional<String>>> begin,
    Runnable end) {}
