package io.confab.bus;

/// What any number of nodes may be told of.
///
/// @param <M> what is told
@SuppressWarnings("UnusedTypeParameter") // it ties the messages to their topic at compile time
public record Topic<M extends BusMessage>(String name) {}
