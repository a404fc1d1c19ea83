package io.confab.bus;

import io.confab.config.NodeRole;

/// Where commands of one family go: to the nodes with a role, there to one lane.
///
/// @param <C> the sealed family of commands that is served here
@SuppressWarnings("UnusedTypeParameter") // it ties the commands to their address at compile time
public record Address<C extends Command<?>>(String name, NodeRole role) {}
