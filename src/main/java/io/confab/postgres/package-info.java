/// PostgreSQL: connections, transactions, migrations.
@NullMarked
package io.confab.postgres;

import org.jspecify.annotations.NullMarked;
