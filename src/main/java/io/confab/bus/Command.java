package io.confab.bus;

/// A request that is answered by one `R` or by a refusal. It knows where it goes, so nobody who
/// asks can send it elsewhere, nor out of the order of its lane.
///
/// @param <R> the answer
public interface Command<R extends BusMessage> extends BusMessage {
  /// The address of its family.
  Address<?> address();

  /// The lane of what it concerns: commands of one lane from one event loop keep their order.
  Lane lane();
}
