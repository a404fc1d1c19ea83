/// Accounts: sign-up, passwords, devices, tokens and tickets.
///
/// Owns the tables `account`, `credential`, `device`, `refresh_token`, `ticket` and `signing_key`.
@NullMarked
package io.confab.account;

import org.jspecify.annotations.NullMarked;
