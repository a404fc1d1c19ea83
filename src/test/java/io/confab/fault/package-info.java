/// Nodes as processes of their own, from the jar, that one test kills or stops in one way; what
/// they acknowledged is compared with what they have afterwards. Many faults under load are for
/// `chaos`, which uses the processes of this package.
@NullMarked
package io.confab.fault;

import org.jspecify.annotations.NullMarked;
