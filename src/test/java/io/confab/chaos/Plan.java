package io.confab.chaos;

import java.nio.file.Path;
import java.time.Duration;

/// What a run is to be.
///
/// @param folder for the history and the nodes' data
record Plan(Duration length, long seed, int nodes, Fleet.Size size, Path folder) {}
