/// The configuration: records for every key of `conf/confab.yaml` and the strict loader. It also
/// holds digests, which all others may use: `Sha256` and `FieldHash`.
@NullMarked
package io.confab.config;

import org.jspecify.annotations.NullMarked;
