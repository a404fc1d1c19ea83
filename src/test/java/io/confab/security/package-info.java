@NullMarked
package io.confab.security;

import org.jspecify.annotations.NullMarked;
