/// Start here: [io.confab.Main] takes the command line, [io.confab.Node] builds all parts of a node
/// in reading order and closes them in reverse.
///
/// Besides these two the package holds what they alone need: the verticles behind the bus
/// ([io.confab.RoleVerticles], [io.confab.RoutingVerticle]) and behind the public port
/// ([io.confab.PublicEdge], [io.confab.EdgeVerticle]), how many of each ([io.confab.Lanes]), what
/// was started and how it ends ([io.confab.Steps]), and how it is asked to stop
/// ([io.confab.StopSignal]).
///
/// Which package may use which stands in one table, in `docs/architecture.md`; a test holds it.
@NullMarked
package io.confab;

import org.jspecify.annotations.NullMarked;
