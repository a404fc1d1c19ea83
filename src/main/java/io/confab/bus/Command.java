package io.confab.bus;

/// A request that is answered by one `R` or by a refusal.
///
/// @param <R> the answer
public interface Command<R extends BusMessage> extends BusMessage {}
