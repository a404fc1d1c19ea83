/// The configuration: records for every key of `conf/confab.yaml` and the strict loader. As the
/// lowest package it also holds what all others may use: `Secret`, `Sha256` and `WireName`.
@NullMarked
package io.confab.config;

import org.jspecify.annotations.NullMarked;
