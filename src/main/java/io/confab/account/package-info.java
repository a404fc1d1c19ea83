/// Accounts: sign-up, passwords, devices, tokens and tickets.
///
/// A sign-in of a device is a *family* of tokens. The row of the device names its present
/// family, and is the lock for its tokens; access tokens, refresh tokens and tickets carry the
/// family and are refused as soon as the device has another or none.
///
/// A suspended or removed account has no family and gets none: a transaction that begins a
/// family holds the row of the account until its commit.
///
/// Owns the tables `account`, `credential`, `device`, `refresh_token`, `bot_token`, `ticket`,
/// `signing_key`, `kept_answer`, `block` and `account_changes`. `account.outside` writes `account`
/// and `device` too; `room` reads both, and functions of `message` and `room` read `block`.
@NullMarked
package io.confab.account;

import org.jspecify.annotations.NullMarked;
