/// PostgreSQL: connections, transactions, migrations, and the epoch of the database.
///
/// Owns the table `instance`; the stores of other packages read the epoch in it with what they
/// number or read. All tables and functions are made by the scripts in `migrations`.
@NullMarked
package io.confab.postgres;

import org.jspecify.annotations.NullMarked;
