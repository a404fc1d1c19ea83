/// What the logs tell of requests, and how much of it. Owns the logger `access`; the form of all
/// lines is in the resources of this package.
@NullMarked
package io.confab.logging;

import org.jspecify.annotations.NullMarked;
