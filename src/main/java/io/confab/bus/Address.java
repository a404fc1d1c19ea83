package io.confab.bus;

import io.confab.config.NodeRole;

/// Where commands of one family go: to the nodes with a role, there to one lane.
///
/// @param <C> the sealed family of commands that is served here
@SuppressWarnings("UnusedTypeParameter") // who serves an address gets the commands of its family
public record Address<C extends Command<?>>(String name, NodeRole role) {}
