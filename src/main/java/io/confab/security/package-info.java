/// The security log: who was refused, who administers, which sign-ins and keys ended.
@NullMarked
package io.confab.security;

import org.jspecify.annotations.NullMarked;
