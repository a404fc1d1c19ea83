/// Nodes as processes of their own, killed and stopped for real; what they acknowledged is
/// compared with what they have afterwards.
@NullMarked
package io.confab.fault;

import org.jspecify.annotations.NullMarked;
