/// Sign-ins, tokens, users of outside issuers and blocks, through the public protocol.
@NullMarked
package io.confab.scenario.account;

import org.jspecify.annotations.NullMarked;
