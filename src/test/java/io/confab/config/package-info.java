/// Tests of the configuration.
@NullMarked
package io.confab.config;

import org.jspecify.annotations.NullMarked;
