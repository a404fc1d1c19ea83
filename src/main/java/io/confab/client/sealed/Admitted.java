package io.confab.client.sealed;

import java.util.List;

/// Whether a room may be sealed for those who are said to be in it.
///
/// @param warnings what the person is to know about them
public record Admitted(boolean allowed, List<Warning> warnings) {}
