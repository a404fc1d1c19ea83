package io.confab.bus;

/// A topic that any number of nodes may subscribe to.
///
/// @param <M> the messages
@SuppressWarnings("UnusedTypeParameter") // it ties the messages to their topic at compile time
public record Topic<M extends BusMessage>(String name) {}
