/// The client library and the command line for people, against real nodes.
@NullMarked
package io.confab.scenario.client;

import org.jspecify.annotations.NullMarked;
