/// The configuration: records for every key of `conf/confab.yaml` and the strict loader.
@NullMarked
package io.confab.config;

import org.jspecify.annotations.NullMarked;
