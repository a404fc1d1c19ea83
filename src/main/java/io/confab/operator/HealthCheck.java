package io.confab.operator;

import io.vertx.core.Future;
import java.util.function.Supplier;

/// A dependency without which a node is not ready.
///
/// @param dependency its name for operators, such as `postgresql`
/// @param check succeeds while the dependency works; the message of a failure says why not
public record HealthCheck(String dependency, Supplier<Future<Void>> check) {}
