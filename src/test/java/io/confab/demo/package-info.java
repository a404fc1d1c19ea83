@NullMarked
package io.confab.demo;

import org.jspecify.annotations.NullMarked;
