package io.confab.bench;

import java.util.Map;
import java.util.Optional;

/// What one cell gave.
///
/// @param figures by the name of what was measured, with its unit, in the order of the table
/// @param foreign how many cores others used meanwhile
/// @param fault what makes it void
record Measured(Map<String, Double> figures, double foreign, Optional<String> fault) {}
