/// What all tests use: real servers, databases of their own, configurations, and the pace at which
/// they wait. Processes of nodes are in `fault`, nodes in this JVM in `scenario`.
@NullMarked
package io.confab.testing;

import org.jspecify.annotations.NullMarked;
