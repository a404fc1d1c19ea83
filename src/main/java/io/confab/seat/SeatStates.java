package io.confab.seat;

import io.confab.bus.BusMessage;
import java.util.List;

/// How accounts stand, in the order in which they were asked for.
public record SeatStates(List<SeatState> states) implements BusMessage {}
