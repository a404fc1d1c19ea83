/// The promises of the specification, tried through the public protocol against real nodes: one
/// package for each feature, and here the nodes and clients that all of them use.
@NullMarked
package io.confab.scenario;

import org.jspecify.annotations.NullMarked;
