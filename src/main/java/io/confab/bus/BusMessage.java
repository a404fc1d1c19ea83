package io.confab.bus;

/// What may cross the bus: records only. On the same node the object itself is handed over; to
/// another node it goes as JSON.
public interface BusMessage {}
